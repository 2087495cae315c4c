/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.LoggerFactory;

/** A server or a client in a process of its own, which can be killed. */
final class EchoProcess implements AutoCloseable {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(EchoProcess.class);

    static final String CALLING = "calling";

    static final String ENDED_WITH_A_CAUSE = "ended with a cause";

    /** Begins the line that tells; other lines are those of a logger that sets itself up. */
    private static final String READY = "READY ";

    /** Begins the line that holds what a server logged. */
    private static final String LOGGED = "LOGGED ";

    /** What is read when there is nothing more. */
    private static final String END = "the process ended";

    private static final long LIMIT_SECONDS = 100;

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();

    private EchoProcess(String... arguments) throws IOException {
        this(List.of(), arguments);
    }

    private EchoProcess(List<String> wrapper, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(wrapper));
        builder.command()
                .addAll(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-Djava.library.path=" + System.getProperty("java.library.path"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EchoProcess.class.getName()));
        builder.command().addAll(List.of(arguments));
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread reader = new Thread(this::read, "echo-process-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(READY)) {
                    said.add(line.substring(READY.length()));
                } else if (line.startsWith(LOGGED)) {
                    logged.add(line.substring(LOGGED.length()));
                }
            }
        } catch (IOException e) {
            LOG.debug("the process was ended", e);
        }
        said.add(END);
        logged.add(END);
    }

    /** A server that listens on {@code host}. */
    static EchoProcess server(String host) throws IOException {
        return new EchoProcess("server", host);
    }

    /** A client that has calls in flight all the time. */
    static EchoProcess client(InetSocketAddress address) throws IOException {
        return new EchoProcess("client", address.getHostString(), String.valueOf(address.getPort()));
    }

    /** A server that listens on {@code host}, and in the same process a client of it as {@link #client} is. */
    static EchoProcess pair(String host) throws IOException {
        return new EchoProcess("pair", host);
    }

    /** One that listens, or connects, when asked with {@link #ask}; a limit on locked memory holds for it. */
    static EchoProcess asked(String host) throws IOException {
        return new EchoProcess(List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"), "asked", host);
    }

    /**
     * Asks for {@code listen QUEUE-DEPTH} or {@code connect QUEUE-DEPTH PORT}; answers a port, "connected", or what
     * went wrong.
     */
    String ask(String question) throws Exception {
        process.outputWriter(StandardCharsets.UTF_8).append(question + "\n").flush();
        return next(said);
    }

    /** Sets its limit on locked memory. */
    void limitLockedMemory(long bytes) throws Exception {
        int exitCode = new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--memlock=" + bytes)
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("prlimit failed with exit code " + exitCode);
        }
    }

    /**
     * The line with which the process says that it has come so far: a port; or the begin of its calls, their end, and
     * what came of a connect after that.
     */
    String awaitReady() throws Exception {
        return next(said);
    }

    /** Level and message of what its server logged next. */
    String awaitLogged() throws Exception {
        return next(logged);
    }

    private static String next(BlockingQueue<String> lines) throws Exception {
        String line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (line == null || line.equals(END)) {
            throw new IOException(line == null ? "nothing came within " + LIMIT_SECONDS + " s" : END);
        }
        return line;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: {@code server HOST}, {@code client HOST PORT}, {@code pair HOST} or {@code asked HOST}. */
    public static void main(String[] arguments) throws Exception {
        Appender<ILoggingEvent> appender = new LineAppender();
        appender.start();
        ((Logger) LoggerFactory.getLogger(DaRPCServer.class)).addAppender(appender);
        DaRPCNameNode transport = new DaRPCNameNode();
        transport.init(CrailConfiguration.createEmptyConfiguration());
        switch (arguments[0]) {
            case "server" ->
                System.out.println(READY + listen(transport, arguments[1]).getPort());
            case "client" -> call(transport, new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])));
            case "asked" -> answer(arguments[1]);
            default -> call(transport, listen(transport, arguments[1]));
        }
        TimeUnit.MINUTES.sleep(5); // it is killed before
    }

    private static void answer(String host) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] question = line.split(" ", -1);
            CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
            configuration.set(DaRPCKeys.RECV_QUEUE.name(), question[1]);
            DaRPCNameNode transport = new DaRPCNameNode();
            transport.init(configuration);
            System.out.println(READY + answer(transport, host, question));
        }
    }

    private static String answer(DaRPCNameNode transport, String host, String[] question) {
        try {
            if (question[0].equals("listen")) {
                return String.valueOf(listen(transport, host).getPort());
            }
            InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(question[2]));
            transport.connect(address, 20_000, new RecordingReceiver()).get();
            return "connected";
        } catch (Exception e) {
            return String.valueOf(e instanceof ExecutionException ? e.getCause() : e);
        }
    }

    private static InetSocketAddress listen(DaRPCNameNode transport, String host) throws Exception {
        return transport
                .listen(new InetSocketAddress(host, 0), new EchoAcceptor(1))
                .address();
    }

    /** Keeps calls in flight until the connection ends, and connects again then. Tells each step. */
    private static void call(DaRPCNameNode transport, InetSocketAddress address) throws Exception {
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = transport.connect(address, 20_000, receiver).get();
        for (int i = 0; i < 1_000_000 && !receiver.closedWithCause.isDone(); i++) {
            channel.send(new TestMessage(i, 1_000));
            if (i == 100) {
                System.out.println(READY + CALLING);
            }
            if (i >= 100) {
                receiver.messages.poll(1, TimeUnit.SECONDS);
            }
        }
        System.out.println(READY + (receiver.awaitClosed() ? ENDED_WITH_A_CAUSE : "ended without a cause"));
        try {
            transport.connect(address, 20_000, new RecordingReceiver()).get();
            System.out.println(READY + "connected again");
        } catch (ExecutionException e) {
            System.out.println(READY + e.getCause().getClass().getSimpleName());
        }
    }

    /** Prints what is logged. */
    private static final class LineAppender extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            System.out.println(LOGGED + event.getLevel() + " " + event.getFormattedMessage());
        }
    }
}
