#include "tools/example_words.h"

#include <algorithm>

namespace runlog::tools {
namespace {

using Phrases = std::string_view[];

// --- names ---------------------------------------------------------------------------------------
constexpr Phrases kNoun = {"invoice", "ledger",   "shipment",  "sensor",  "tariff",    "booking",
                           "meter",   "manifest", "quota",     "voucher", "schedule",  "catalog",
                           "parcel",  "payroll",  "refund",    "turbine", "itinerary", "sample",
                           "harbour", "contract", "warehouse", "ticket"};
constexpr Phrases kVerb = {"load",  "merge", "rank",  "reconcile", "split",  "round",  "expand",
                           "fetch", "parse", "batch", "normalise", "replay", "assign", "validate",
                           "score", "group", "drain", "resolve",   "trim",   "price"};
constexpr Phrases kVerbed = {"loaded",  "merged", "ranked",  "reconciled", "rounded",  "expanded",
                             "fetched", "parsed", "batched", "replayed",   "assigned", "priced"};
constexpr Phrases kPart = {"window", "cursor", "bucket", "total", "offset", "header",
                           "region", "cutoff", "series", "rate",  "margin", "snapshot"};
constexpr Phrases kPackage = {"billing", "intake",  "routing", "reports", "metering",
                              "archive", "pricing", "loading", "sync",    "audit"};
constexpr Phrases kPerson = {"Amara",  "Jörg", "Mei-Ling", "Tomás", "Priya",  "Noor",
                             "Ingrid", "Kofi", "Zoë",      "Ravi",  "Łukasz", "Hana"};
constexpr Phrases kPlace = {"Rotterdam", "Osaka",  "Valparaíso", "Gdańsk",   "Mombasa", "Halifax",
                            "Trieste",   "Tromsø", "Chennai",    "Montréal", "Aarhus",  "Porto"};
constexpr Phrases kTeam = {"the finance desk",     "the operations team", "our support rota",
                           "the data group",       "the harbour office",  "the night shift",
                           "a customer in <place>"};
constexpr Phrases kSymbol = {"<verb>_<noun>", "<verb>_<noun>_<part>", "<noun>_<part>",
                             "<verb>_<part>"};
constexpr Phrases kModule = {"<package>/<noun>", "<package>/<noun>_<part>",
                             "<package>/<verb>_<noun>"};
constexpr Phrases kPath = {"src/<module>.py", "src/<module>.py", "tests/test_<noun>_<part>.py",
                           "config/<package>.yaml", "docs/<package>_<noun>.md"};
constexpr Phrases kError = {
    "KeyError: '<noun>_<part>'",
    "ValueError: <part> <N> is outside the <noun>'s range",
    "TimeoutError: no answer from <package>.internal after <n> s",
    "TypeError: <symbol>() got an unexpected keyword argument '<part>'",
    "AssertionError: expected <N> <noun> rows, found <n>",
    "ZeroDivisionError: <part> of an empty <noun>",
    "PermissionError: [Errno 13] /srv/<package>/<noun>.lock",
};

// --- a person asks -------------------------------------------------------------------------------
constexpr Phrases kRequest = {
    "Since the release on the <n>th, <symbol> in src/<module>.py returns a <part> that is off by "
    "<n> for every <noun> from <place>. <background> Please find the cause, fix it and add a test "
    "that would have caught it.",
    "<team> needs a comparison of how <place> and <place> handle <noun> fees. <background> Give me "
    "a table with sources and say how sure you are about each row.",
    "Look at the <N> rows in config/<package>.yaml and tell me which <noun> entries can no longer "
    "be reached. <background>",
    "Can you write a short report on <noun> delays in <place>? <background> Two pages at most, "
    "with one chart.",
    "The nightly job stops with `<error>`. <background> I only need to know why, do not change "
    "anything yet.",
    "Please move everything that deals with the <noun> <part> out of src/<module>.py into its own "
    "module. <background> The tests have to stay green after every step.",
    "How long would a <noun> take from <place> to <place> if the <part> closes at <6-22>:00? "
    "<background>",
    "Draft an answer to <person>, who asks why the <noun> <part> was <N> instead of <N>. "
    "<background> Friendly, no jargon.",
};
constexpr Phrases kBackground = {
    "<team> noticed it when the <part> for <place> did not add up.",
    "It worked until <person> changed how a <noun> is <verbed>, I think.",
    "There are about <N> of them, most without a <part>.",
    "We tried to <verb> the <noun> by hand and got <N>, then <N>.",
    "Keep in mind that a <noun> from before March has no <part>.",
    "<person> has the numbers if something is missing.",
    "The last attempt took <n> minutes and then gave up.",
    "Please leave <path> as it is, <person> is working on it.",
    "If a <noun> has no <part>, count it under <place>.",
    "There is an older version of this in docs/<package>_<noun>.md, but I would not trust it.",
    "<team> will read this, so spell out what a <part> is.",
    "The numbers of <place> were corrected on the <n>th.",
    "It has to be done before the <noun> run at <6-22>:00.",
};

// --- the model thinks, and answers ---------------------------------------------------------------
constexpr Phrases kThought = {
    "I'll start with <path>, because that is where the <part> is decided.",
    "The <noun> looks right up to this point, so the mistake has to be behind `<symbol>`.",
    "Before I change anything I want to see how many callers `<symbol>` has.",
    "That explains the <n> missing rows: the <part> is compared as text.",
    "Let me run only the tests that touch the <noun>.",
    "The search gave <n> hits, but just one of them writes the <part>.",
    "This file has no <noun> at all. I should look under `<package>` instead.",
    "Two sources disagree about the <part>: one says <N>, the other <N>. I'll look for a third.",
    "I have enough for the table now; what is missing is the <noun> <part> of <place>.",
    "The error comes from `<symbol>`, but its cause is the empty <noun> passed in by the caller.",
    "Splitting this: one helper can read the <noun> side while I check the <part>.",
};
constexpr Phrases kReasoning = {
    "If the <part> is <N>, the <noun> is <verbed> once; above that it happens twice.",
    "`<symbol>` keeps the <part> in UTC while the caller in `<package>` passes local time.",
    "The guard `if not <part>` also skips a <part> of zero, which is legal for a <noun>.",
    "Nothing else in `<package>` depends on the order, so sorting by <part> is safe.",
    "<place> reports its <noun> numbers weekly; comparing them with daily ones hides the peak.",
    "The <noun> from <person> has <n> entries and the <part> of each is set.",
    "I cannot see where <N> comes from; the nearest <noun> says <N>.",
    "A retry would only hide this, since the second call gets the same <part>.",
    "With <n> workers the <noun> takes about <N> ms, mostly spent to <verb> the <part>.",
    "The documentation calls this a <part>, the code calls it a <noun>; they mean the same.",
};
constexpr Phrases kAnswer = {
    "Done: `<symbol>` now takes the <part> from the <noun> itself, and <n> new tests cover it.",
    "The cause is the <part> in <path>: it is read before the <noun> is <verbed>.",
    "<place> charges <N> per <noun>, <place> <N>; both figures are from this year.",
    "In short, <n> of the <N> entries are out of date and can go.",
    "I left the <part> alone, as you asked. The change you would need is one line in <path>.",
    "I could not confirm the figure for <place>; treat it as an estimate.",
    "All <N> tests pass; the slowest takes <n> s and waits for the <noun>.",
};

// --- what tools say ------------------------------------------------------------------------------
constexpr Phrases kStatement = {
    "    <part> = <noun>.get(\"<part>\", <n>)",
    "    for entry in <noun>.entries:",
    "        if entry.<part> is None:",
    "            continue",
    "        total += entry.<part> * <n>",
    "    if <part> > <N>:",
    "        raise ValueError(f\"<part> {<part>} is over <N>\")",
    "    rows = [row for row in <noun>_rows if row[\"<part>\"] >= <n>]",
    "    log.debug(\"<verb> %s with <part> %d\", <noun>, <part>)",
    "    with store.lock(\"<noun>\"):",
    "        store.<verb>(<noun>, limit=<N>)",
    "    # a <noun> from before the move has no <part>",
    "    return <symbol>(<noun>, <part>=<part> or <n>)",
    "    cached = _<part>_by_<noun>.setdefault(<noun>.key, [])",
    "    return sorted(rows, key=lambda row: row[\"<part>\"])",
};
constexpr Phrases kLogText = {
    "<verb> <noun> <N> of <N>, <part> at <n>%",
    "slow <part>: <N> ms for <n> rows",
    "no <part> for <noun> <N>, using the default",
    "<package> answered 503, attempt <n>",
    "<noun> <N> <verbed>",
    "<error>",
    "queue of <package> is at <N>",
};
constexpr Phrases kLevel = {"INFO   ", "INFO   ", "INFO   ", "WARNING", "ERROR  "};
constexpr Phrases kLogLine = {
    "<0-23:2>:<0-59:2>:<0-59:2>,<0-999:3> <level> <package> <log>\n",
};
constexpr Phrases kListed = {"-rw-r--r-- agent <80-400000> <path>\n"};
constexpr Phrases kTestPassed = {"PASSED tests/test_<noun>_<part>.py::test_<symbol>\n"};
constexpr Phrases kTestFailed = {"FAILED tests/test_<noun>_<part>.py::test_<symbol> - <error>\n"};
constexpr Phrases kRow = {
    "<place>,<noun>,2026-<1-12:2>-<1-28:2>,<3-90000>.<0-99:2>,0.<0-999:3>\n",
};
constexpr Phrases kResult = {
    "<title>\nhttps://<package>.example.org/<noun>/<x8>\n<snippet> <snippet>\n\n",
};
constexpr Phrases kTitle = {
    "How <place> prices a <noun>",
    "<noun> <part> statistics, <place> region",
    "Notes on the <noun> reform in <place>",
    "A field guide to the <noun> <part>",
    "Why <noun> delays cluster around the <part>",
};
constexpr Phrases kSnippet = {
    "Between <n> and <N> cases were recorded in <place>, a third of them without a <part>.",
    "The authority in <place> publishes the <noun> <part> every quarter and corrects it once.",
    "According to <person>, who ran the survey, the <part> matters more than the <noun>'s age.",
    "Fees were frozen for <n> months; since then the <noun> <part> has risen to <N>.",
    "<place> and <place> agreed on a common <noun> format, to be used from next year.",
    "Of <N> answers, <n> named the <part> as the main reason for a late <noun>.",
    "The older method counts a <noun> twice when its <part> spans midnight.",
};
constexpr Phrases kReason = {
    "writes outside the workspace are not allowed",
    "the tool is not on the list for this agent",
    "the argument names a host that is not known",
    "needs a person's approval",
};
constexpr Phrases kCommand = {
    "pytest -q tests/test_<noun>_<part>.py",
    "grep -rn \"<symbol>\" src/<package>",
    "python -m <package>.<verb>_<noun> --limit <N>",
    "git log --oneline -n <n> -- <path>",
    "ls -l src/<package>",
    "wc -l <path>",
    "sed -n '<n>,<N>p' <path>",
};

struct Rule {
  std::string_view name;
  std::span<const std::string_view> phrases;
};

constexpr Rule kRules[] = {
    {"noun", kNoun},         {"verb", kVerb},
    {"verbed", kVerbed},     {"part", kPart},
    {"package", kPackage},   {"person", kPerson},
    {"place", kPlace},       {"team", kTeam},
    {"symbol", kSymbol},     {"module", kModule},
    {"path", kPath},         {"error", kError},
    {"request", kRequest},   {"background", kBackground},
    {"thought", kThought},   {"reasoning", kReasoning},
    {"answer", kAnswer},     {"statement", kStatement},
    {"log", kLogText},       {"level", kLevel},
    {"log_line", kLogLine},  {"listed", kListed},
    {"passed", kTestPassed}, {"failed", kTestFailed},
    {"row", kRow},           {"result", kResult},
    {"title", kTitle},       {"snippet", kSnippet},
    {"reason", kReason},     {"command", kCommand},
};

}  // namespace

std::span<const std::string_view> ExamplePhrases(std::string_view name) {
  const auto* rule = std::ranges::find(kRules, name, &Rule::name);
  return rule == std::ranges::end(kRules) ? std::span<const std::string_view>() : rule->phrases;
}

}  // namespace runlog::tools
