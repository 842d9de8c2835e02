"""Exports of annotation tools: a module a tool, and what they share.

``recognised`` tells the tool by what the files hold and calls its module. A module goes through
``records`` (or rows) and hands each vote, skip and marked place to ``gathered``, with a reason for
what does not count. ``archives`` makes one thing of a file, a folder and a ZIP archive.
"""
