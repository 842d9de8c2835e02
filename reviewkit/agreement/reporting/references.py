"""The works that figures and intervals rest on."""

from __future__ import annotations

from reviewkit.agreement.measures.estimates import Estimate, Measured
from reviewkit.agreement.reporting.model import AgreementReport

REFERENCES = {
    "Brennan and Prediger 1981": "Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa:"
    " some uses, misuses, and alternatives. Educational and Psychological Measurement 41, 687-699.",
    "Byrt, Bishop and Carlin 1993": "Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias,"
    " prevalence and kappa. Journal of Clinical Epidemiology 46, 423-429.",
    "Cicchetti and Feinstein 1990": "Cicchetti, D. V. and Feinstein, A. R. (1990). High agreement"
    " but low kappa: II. Resolving the paradoxes. Journal of Clinical Epidemiology 43, 551-558.",
    "Cochran 1977": "Cochran, W. G. (1977). Sampling Techniques, 3rd edition. Wiley.",
    "Cohen 1960": "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational"
    " and Psychological Measurement 20, 37-46.",
    "Cohen 1968": "Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for"
    " scaled disagreement or partial credit. Psychological Bulletin 70, 213-220.",
    "Conger 1980": "Conger, A. J. (1980). Integration and generalization of kappas for multiple"
    " raters. Psychological Bulletin 88, 322-328.",
    "Efron 1987": "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the"
    " American Statistical Association 82, 171-185.",
    "Efron and Tibshirani 1993": "Efron, B. and Tibshirani, R. J. (1993). An Introduction to the"
    " Bootstrap. Chapman and Hall.",
    "Fleiss 1971": "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters."
    " Psychological Bulletin 76, 378-382.",
    "Fleiss, Cohen and Everitt 1969": "Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large"
    " sample standard errors of kappa and weighted kappa. Psychological Bulletin 72, 323-327.",
    "Gwet 2008": "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the"
    " presence of high agreement. British Journal of Mathematical and Statistical Psychology 61,"
    " 29-48.",
    "Gwet 2014": "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced"
    " Analytics.",
    "Krippendorff 2011": "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability."
    " University of Pennsylvania, Annenberg School for Communication.",
    "Light 1971": "Light, R. J. (1971). Measures of response agreement for qualitative data: some"
    " generalizations and alternatives. Psychological Bulletin 76, 365-377.",
    "Passonneau 2006": "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for"
    " semantic and pragmatic annotation. Proceedings of LREC 2006, 831-836.",
    "Scott 1955": "Scott, W. A. (1955). Reliability of content analysis: the case of nominal"
    " scale coding. Public Opinion Quarterly 19, 321-325.",
    "Wilson 1927": "Wilson, E. B. (1927). Probable inference, the law of succession, and"
    " statistical inference. Journal of the American Statistical Association 22, 209-212.",
}
"""What a short source in an estimate stands for."""
BEHIND = {
    "wilson": ("Wilson 1927",),
    "percentile": ("Efron and Tibshirani 1993",),
    "bca": ("Efron 1987", "Efron and Tibshirani 1993"),
}
"""Sources of the intervals; of analytic ones see ``behind``."""


def behind(estimate: Estimate, held: Measured) -> tuple[str, ...]:
    """Return the short sources of the interval printed with a figure; none without an interval."""
    if estimate.interval is None:
        return ()
    if estimate.interval.method != "analytic":
        return BEHIND[estimate.interval.method]
    if estimate.name in ("kappa", "weighted_kappa"):
        return ("Fleiss, Cohen and Everitt 1969",)
    linear = any(each.code == "singles" for each in held.remarks)
    return ("Cochran 1977",) if linear else ("Gwet 2008",)


def references(report: AgreementReport) -> tuple[str, ...]:
    """Return what the report's figures and intervals rest on, in alphabetical order."""
    named: set[str] = set()
    for part in report.parts:
        for estimate in part.measured.estimates:
            named |= {key for key in REFERENCES if key in estimate.source}
            named |= {*behind(estimate, part.measured)}
        for category in part.measured.by_category:
            if category.value is not None and category.interval is not None:
                named |= {"Cicchetti and Feinstein 1990", *BEHIND[category.interval.method]}
        if part.measured.light is not None:
            named.add("Light 1971")
    return tuple(REFERENCES[key] for key in REFERENCES if key in named)
