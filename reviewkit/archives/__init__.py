"""A project folder in one file: made while people work, verified, and laid again elsewhere."""

from reviewkit.archives.contents import BackupFault
from reviewkit.archives.unpacking import ArchiveBroken, Restored, check_archive, restore
from reviewkit.archives.writing import Backup, write_backup

__all__ = [
    "ArchiveBroken",
    "Backup",
    "BackupFault",
    "Restored",
    "check_archive",
    "restore",
    "write_backup",
]
