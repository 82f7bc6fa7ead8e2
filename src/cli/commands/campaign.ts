import type { Command } from 'commander'
import { call, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { poll } from '../../client/poll.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../exit.ts'
import { nounCommand } from '../generate.ts'
import { durationOption } from '../globals.ts'
import { progressBar } from '../progress.ts'
import { render } from '../render.ts'
import { does, type Run, type Session } from '../session.ts'
import { intervalOption } from './watch/watching.ts'

interface StatusFlags {
  watch?: boolean
  interval: number
  timeout: number
}

interface Counts {
  total: number
  pending: number
  in_progress: number
  completed: number
  failed: number
  ineligible: number
}

interface CampaignState {
  campaign_id: string
  status: string
  counts: Counts
}

const SUMMARY = 'Show where a campaign stands, or follow it until it rests'

export function addCampaignStatus(program: Command, run: Run) {
  const command = nounCommand(program, 'campaigns')
    .command('status')
    .summary(SUMMARY)
    .description(SUMMARY)
    .argument('<id>')
    .option('--watch', 'follow the run until it is completed or paused')
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'how long to watch; without end unless given', '0'))
    .addHelpText(
      'after',
      '\nGET /v1/campaigns/{id}/status\n\nWith --watch it exits with 0 when every contact was reached, 7 when some were not or the run was paused, 8 when the time was up.',
    )
  does(command, run, (session, [id], options) => status(session, id!, options as unknown as StatusFlags))
}

async function status(session: Session, id: string, flags: StatusFlags): Promise<ExitCode> {
  if (flags.watch) return watch(session, id, flags)
  const state = await look(session, id)
  session.output.data(state, render(state))
  return EXIT.ok
}

const look = async ({ endpoint, io }: Session, id: string) =>
  resultOf(await call(endpoint, operations.campaigns.status, { id }, undefined, { signal: io.signal })) as CampaignState

/** Tells each change once: a line for programs, a bar for people. */
async function watch(session: Session, id: string, { interval, timeout }: StatusFlags): Promise<ExitCode> {
  const { io, output } = session
  const bar = progressBar(session)
  let told = ''
  let last: CampaignState | undefined
  try {
    await poll({ everyMs: interval, timeoutMs: timeout, signal: io.signal }, async () => {
      last = await look(session, id)
      const text = JSON.stringify(last)
      if (!output.people && text !== told) output.data(last, () => '')
      told = text
      bar.show(shareOf(last.counts), inWords(last))
      return last.status === 'RUNNING' ? undefined : last
    })
  } finally {
    bar.end()
  }
  return endOf(session, last!, timeout)
}

function endOf({ output }: Session, state: CampaignState, timeout: number): ExitCode {
  if (state.status === 'RUNNING')
    throw timedOut(
      `The campaign is still running after ${timeout / 1000} s.`,
      'If its clock is frozen, move it: sandbox clock advance 1h',
    )
  if (state.status !== 'COMPLETED') throw notCompleted(state)
  output.note((paint) => `${paint.green('✓')} ${inWords(state)}`)
  return EXIT.ok
}

const doneOf = ({ completed, failed, ineligible }: Counts) => completed + failed + ineligible

const shareOf = (counts: Counts) => (counts.total === 0 ? undefined : doneOf(counts) / counts.total)

const inWords = ({ status, counts }: CampaignState) =>
  `${status} ${doneOf(counts)}/${counts.total} · ${counts.completed} completed, ${counts.failed} failed, ${counts.ineligible} ineligible`

const notCompleted = (state: CampaignState) =>
  new Fault(`The campaign is ${inWords(state)}.`, {
    code: 'not_completed',
    exit: EXIT.expectation,
    extra: { campaign_id: state.campaign_id, status: state.status, counts: state.counts },
  })
