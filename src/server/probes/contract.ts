import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** For monitoring; neither documents nor the client have it. */
export const showMetrics = operation({
  id: 'probes.metrics',
  summary: 'Show metrics for Prometheus',
  call: 'GET /_sandbox/metrics',
  access: 'admin',
  output: z.string(),
  media: 'text/plain; version=0.0.4; charset=utf-8',
  choice: true,
  isUnrecorded: true,
  isOfProcess: true,
})
