/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;

/**
 * A program that uses a store whenever it is sent a line, and another store if the line says "open"; it answers with a
 * line for each call and one that says "all". Used by one thread.
 */
public final class LimitedClient {
    private static final int BYTES = 200_000;

    private LimitedClient() {}

    /** The program; argument: the file with its configuration. */
    public static void main(String[] arguments) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createConfigurationFromFile(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (TestClient client = TestClient.open(configuration)) {
            client.write("/first", Pattern.of(1, BYTES));
            int round = 0;
            say("all");
            String wish = in.readLine();
            while (wish != null) {
                String path = "/round" + round;
                round++;
                attempt("lookup", () -> client.lookup("/first").getPath().equals("/first"));
                attempt("read", () -> isRight(client.read("/first")));
                attempt("write", () -> written(client, path));
                attempt("list", () -> client.list("/").contains("first"));
                if (wish.equals("open")) {
                    attempt("open", () -> opened(configuration));
                }
                say("all");
                wish = in.readLine();
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static boolean isRight(byte[] bytes) {
        Pattern.verify(1, 0, bytes);
        return bytes.length == BYTES;
    }

    private static boolean written(TestClient client, String path) throws Exception {
        client.write(path, Pattern.of(1, BYTES));
        return isRight(client.read(path));
    }

    private static boolean opened(CrailConfiguration configuration) throws Exception {
        try (TestClient other = TestClient.open(configuration)) {
            return isRight(other.read("/first"));
        }
    }

    private static void attempt(String what, Callable<Boolean> call) {
        String outcome;
        try {
            outcome = call.call() ? "ok" : "wrong";
        } catch (CrailException e) {
            outcome = e.code().name();
        } catch (Throwable e) { // must not happen, and is told
            outcome = "untyped " + e;
        }
        say(what + " " + outcome);
    }
}
