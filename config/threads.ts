/**
 * The worker threads, each an entry point of the executable. Key: the constant that the sources use for its path inside
 * the executable; value: its path below `src`.
 */
export const threads = {
  MAILSTEAD_READ_POOL_WORKER: "./store/sqlite/read-pool-worker.ts",
  MAILSTEAD_PARSE_WORKER: "./inbound/parse-worker.ts",
  MAILSTEAD_POSTMARK_WORKER: "./modules/reports/postmark-worker.ts",
  MAILSTEAD_JUDGE_WORKER: "./inbound/judge-worker.ts",
  MAILSTEAD_TEMPLATE_WORKER: "./mail/render/parse-worker.ts",
  MAILSTEAD_HTML_WORKER: "./mail/html-text/read-worker.ts",
  MAILSTEAD_TRANSPORT_WORKER: "./transport-worker.ts",
  MAILSTEAD_PREVIEW_WORKER: "./modules/templates/preview-worker.ts",
  MAILSTEAD_JSON_WORKER: "./http/json-worker.ts",
  MAILSTEAD_CHECKPOINT_WORKER: "./store/sqlite/checkpoint-worker.ts",
  MAILSTEAD_SOUNDNESS_WORKER: "./store/sqlite/soundness-worker.ts",
}
