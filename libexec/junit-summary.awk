# SPDX-License-Identifier: Apache-2.0
#
# Reads Surefire's XML reports. Prints "total TESTS FAILURES ERRORS SKIPPED", and one line for each test that failed or was
# skipped: "failed CLASS.METHOD: exception", "skipped CLASS.METHOD: reason".

function attribute(name,    text) {
    if (!match($0, " " name "=\"[^\"]*\"")) {
        return ""
    }
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", text)
    sub(/"$/, "", text)
    gsub(/&#10;|&#13;/, " ", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&amp;/, "\\&", text)
    return text
}

/^<testsuite / {
    tests += attribute("tests")
    failures += attribute("failures")
    errors += attribute("errors")
    skipped += attribute("skipped")
}
/^ *<testcase / {
    test = attribute("classname") "." attribute("name")
}
/^ *<(failure|error)[ >\/]/ {
    if (test != last) {
        print "failed " test ": " substr(attribute("type") ": " attribute("message"), 1, 600)
        last = test
    }
}
/^ *<skipped[ >\/]/ {
    reason = attribute("message")
    if (reason == "" && sub(/^.*CDATA\[/, "")) { # a failed assumption
        reason = $0
        sub(/\]\]>.*/, "", reason)
        sub(/^[a-zA-Z0-9_.$]*: /, "", reason)
    }
    print "skipped " test ": " (reason == "" ? "no reason given" : reason)
}
END {
    print "total", tests + 0, failures + 0, errors + 0, skipped + 0
}
