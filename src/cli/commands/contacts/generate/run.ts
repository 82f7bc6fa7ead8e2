import { withCommas } from '../../../../words/number-text.ts'
import type { ChannelType, ConsentType } from '../../../../words/vocabulary.ts'
import { progressBar } from '../../../output/progress.ts'
import { EXIT, type ExitCode } from '../../../process/exit.ts'
import { callOperation } from '../../../session/call-operation.ts'
import type { Session } from '../../../session/session.ts'

export interface Consent {
  channel_type: ChannelType
  message_type: ConsentType
}

export interface GenerateFlags {
  tag?: string
  consent: Consent[]
}

/** Contacts per request, so that the bar moves several times a second. */
const CHUNK = 10_000

export async function generate(session: Session, count: number, { tag, consent }: GenerateFlags): Promise<ExitCode> {
  const bar = progressBar(session)
  let generated = 0
  try {
    do {
      const payload = { count: Math.min(CHUNK, count - generated), tag, consent }
      generated += (await callOperation(session, 'contacts.generate', { payload })).generated
      bar.show(generated / count, `${withCommas(generated)} contacts`)
    } while (generated < count)
  } finally {
    bar.end()
  }
  session.output.data({ generated }, (paint) => `${paint.green('✓')} ${withCommas(generated)} contacts are generated`)
  return EXIT.ok
}
