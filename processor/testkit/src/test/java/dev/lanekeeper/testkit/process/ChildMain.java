package dev.lanekeeper.testkit.process;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the children of {@link ChildJvmTest} run. */
final class ChildMain {
    private ChildMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        switch (arguments[0]) {
            case "greet" -> {
                out.println("hello " + arguments[1] + " " + System.getProperty("greeting"));
                System.err.println("and an error");
            }
            case "fail" -> throw new IllegalStateException("planted");
            case "count" -> {
                CountDownLatch never = new CountDownLatch(1);
                for (int count = 0; ; count++) {
                    out.println("count " + count);
                    if (never.await(10, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
            case "stay" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> out.println("bye")));
                out.println("ready");
                new CountDownLatch(1).await();
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
