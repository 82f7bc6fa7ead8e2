import { z } from 'zod'
import { operation } from '../../words/operation.ts'

/** For balancers and monitoring; neither documents nor the client have them. */

const probe = {
  output: z.strictObject({ status: z.literal('ok') }),
  choice: true,
  access: 'anyone',
  isUnrecorded: true,
} as const

export const showLive = operation({
  ...probe,
  id: 'probes.live',
  summary: 'Check that the process answers',
  call: 'GET /_sandbox/live',
})

export const showReady = operation({
  ...probe,
  id: 'probes.ready',
  summary: 'Check that the sandbox takes requests',
  call: 'GET /_sandbox/ready',
})

export const showMetrics = operation({
  id: 'probes.metrics',
  summary: 'Show metrics for Prometheus',
  call: 'GET /_sandbox/metrics',
  access: 'admin',
  output: z.string(),
  media: 'text/plain; version=0.0.4; charset=utf-8',
  choice: true,
  isUnrecorded: true,
})
