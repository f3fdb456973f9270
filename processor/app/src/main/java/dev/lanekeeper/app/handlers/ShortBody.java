package dev.lanekeeper.app.handlers;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads an answer's body to its end, so that the connection can be used again, and keeps only how it begins. */
final class ShortBody implements BodySubscriber<String> {
    private static final int KEPT_BYTES = 400;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private boolean cut;

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[Math.min(buffer.remaining(), KEPT_BYTES - kept.size())];
            buffer.get(bytes);
            kept.writeBytes(bytes);
            cut |= buffer.hasRemaining();
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        String text =
                kept.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ").strip();
        body.complete(cut ? text + "…" : text);
    }
}
