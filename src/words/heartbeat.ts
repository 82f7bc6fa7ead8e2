import { Duration, durationMs, HOUR } from './duration.ts'

const MIN_MS = 100

export const Heartbeat = Duration.transform(durationMs)
  .refine((ms) => ms >= MIN_MS && ms <= HOUR, 'must be between 100ms and 1h')
  .describe("Heartbeat interval of a silent stream, on the machine's clock (default: 15s).")
