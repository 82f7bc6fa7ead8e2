import { withCommas } from '../../../../words/number-text.ts'
import { progressBar } from '../../../output/progress.ts'
import { EXIT, type ExitCode, usage } from '../../../process/exit.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'

export interface GenerateFlags {
  tag?: string
  consent?: string[]
}

/** Contacts per request, so that the bar moves several times a second. */
const CHUNK = 10_000

export async function generate(
  session: Session,
  count: number,
  { tag, consent = [] }: GenerateFlags,
): Promise<ExitCode> {
  const consents = await consentsOf(consent)
  const bar = progressBar(session)
  let generated = 0
  try {
    do {
      const payload = { count: Math.min(CHUNK, count - generated), tag, consent: consents }
      generated += (await callOperation(session, 'contacts.generate', { payload })).generated
      bar.show(generated / count, `${withCommas(generated)} contacts`)
    } while (generated < count)
  } finally {
    bar.end()
  }
  session.output.data({ generated }, (paint) => `${paint.green('✓')} ${withCommas(generated)} contacts are generated`)
  return EXIT.ok
}

async function consentsOf(texts: readonly string[]) {
  const { ChannelType, ConsentType } = await import('../../../../words/vocabulary.ts')
  return texts.map((text) => {
    const [channel, type, ...rest] = text.toUpperCase().split(':')
    const [channel_type, message_type] = [ChannelType.safeParse(channel), ConsentType.safeParse(type)]
    if (channel_type.success && message_type.success && rest.length === 0)
      return { channel_type: channel_type.data, message_type: message_type.data }
    throw usage(
      `--consent must be a channel (${ChannelType.options.join(', ')}) and a message type (${ConsentType.options.join(', ')}), such as RCS:MESSAGE.`,
    )
  })
}
