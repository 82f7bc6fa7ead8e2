import { poll } from '../../../../waiting/until.ts'
import { printable } from '../../../output/printable.ts'
import { progressBar } from '../../../output/progress.ts'
import { render } from '../../../output/render.ts'
import { EXIT, type ExitCode, timedOut } from '../../../process/exit.ts'
import { describeNextStep } from '../../../session/next-step.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { type CampaignState, contactsOf, hintOf, inWords, notCompleted, shareOf } from './tell.ts'

export interface StatusFlags {
  watch?: boolean
  interval: number
  timeout: number
}

export async function status(session: Session, id: string, flags: StatusFlags): Promise<ExitCode> {
  if (flags.watch) return watch(session, id, flags)
  const state = await look(session, id)
  session.output.data(state, (paint, shown) => render(shown, paint))
  for (const hint of [hintOf(state), contactsOf(state)])
    if (hint) session.output.note((paint) => paint.dim(`→ ${printable(session.output.withProgramName(hint))}`))
  return EXIT.ok
}

const look = (session: Session, id: string) => callOperation(session, 'campaigns.status', { params: { id } })

/** Reports each change once: a line for programs, a bar for people. */
export async function watch(session: Session, id: string, { interval, timeout }: StatusFlags): Promise<ExitCode> {
  const { io, output } = session
  const bar = progressBar(session)
  let printed = ''
  let last: CampaignState | undefined
  try {
    await poll({ everyMs: interval, timeoutMs: timeout, signal: io.signal }, async () => {
      last = await look(session, id)
      const text = JSON.stringify(last)
      if (!output.isForPeople && text !== printed) output.item(last, () => '')
      printed = text
      bar.show(shareOf(last.counts), inWords(last))
      return last.status === 'RUNNING' ? undefined : last
    })
  } finally {
    bar.end()
  }
  return endOf(session, last!, timeout)
}

async function endOf(session: Session, state: CampaignState, timeout: number): Promise<ExitCode> {
  if (state.status === 'RUNNING')
    throw timedOut(
      `The campaign is still running after ${timeout / 1000} s.`,
      await describeNextStep(session, { advance: '1h' }),
    )
  if (state.status !== 'COMPLETED') throw notCompleted(state)
  session.output.note((paint) => `${paint.green('✓')} ${printable(inWords(state))}`)
  return EXIT.ok
}
