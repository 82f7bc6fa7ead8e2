import { Duration, durationMs, HOUR } from './duration.ts'

const MIN_MS = 100

export const Heartbeat = Duration.transform(durationMs)
  .refine((ms) => ms >= MIN_MS && ms <= HOUR, 'must be between 100ms and 1h')
  .describe("How often a silent stream shows that it lives, on the machine's clock; else 15s.")
