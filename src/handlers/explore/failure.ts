import { recordingOf } from '../../scenarios/record.ts'
import type { PlayContext } from './context.ts'
import { type Finding, isAboutAll } from './finding.ts'
import type { Failure } from './options.ts'
import type { PlayResult } from './parts.ts'
import type { PlannedRun } from './phase-order.ts'
import { remediesOf } from './remedies.ts'
import { withSchedule } from './scenario.ts'
import type { FailingSchedule } from './shrink.ts'
import { storyOf } from './story.ts'

/** The report of a failure. */
export async function failureOf(
  context: PlayContext,
  run: PlannedRun,
  { isStuck = false, ...failing }: FailingSchedule,
): Promise<Failure> {
  const { flow, draw, seed } = run
  const played = isStuck ? withoutCounts(failing.played) : failing.played
  const schedule = {
    ...failing.schedule,
    ...(isOfSender(played) && { sends: true as const }),
    ...(isOfOthers(played) && { earlier: true as const }),
    ...(flow.isQuick && { quick: true as const }),
  }
  const remedies = [
    ...remediesOf(played, schedule),
    ...(isStuck ? [STUCK] : []),
    ...(context.seen.hasEarlierRun && dependsOnTime(played) ? [EARLIER_RUN] : []),
  ]
  return {
    flow: flow.name,
    seed,
    schedule: { flow: flow.name, draw, ...schedule },
    scenario: withSchedule(await scenarioOf(context, run), schedule),
    findings: played.findings,
    remedies,
    deliveries: played.deliveries.map(({ name, attempt, how, status }) => ({ name, attempt, how, status })),
    story: storyOf(flow, { ...played, schedule }, remedies),
  }
}

/** Records a flow once more as calls, unless it is a scenario already. */
async function scenarioOf({ flowSandbox }: PlayContext, { flow, draw }: PlannedRun): Promise<string> {
  return flow.scenario?.text ?? recordingOf(await flowSandbox.callsOf(flow, draw), flow.summary).text
}

/** Counters include the plays beside it, so they differ from those of a play alone. What stops an application for good shows in both. */
function withoutCounts(played: PlayResult): PlayResult {
  const findings = played.findings.filter((finding) => !isAboutAll(finding))
  return findings.length > 0 ? { ...played, findings } : played
}

/** Some of its findings concern applications that send only. */
const isOfSender = ({ findings }: PlayResult) => findings.some(({ code }) => code === 'stop-not-recorded')

/** Some of its findings concern people of earlier schedules. */
const isOfOthers = ({ findings }: PlayResult) => findings.some(({ earlier }) => earlier)

const STUCK =
  'Every later schedule fails too: look for stored data that the application cannot process, or for what is used up for good, such as slots and connections. With --reset, the explorer can make this schedule smaller.'

/** Some of its findings depend on whether a session is open. */
const dependsOnTime = ({ findings }: PlayResult) =>
  findings.some(({ where }) => where === 'sessions' || where === 'sends')

export const EARLIER_RUN =
  'The application still has people of an earlier run, whose events may be up to three years newer. If it takes the newest timestamp as the time of the service, begin each run with an empty database.'

export function nothingPlayed(finding: Finding): FailingSchedule {
  const schedule = { events: [], perturbations: [] }
  return { schedule, played: { schedule, deliveries: [], findings: [finding] } }
}
