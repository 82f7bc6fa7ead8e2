import type { AnswerTo } from '../../client/answers.ts'
import { wordsOf } from '../generate/form.ts'
import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'
import type { Paint } from '../output/paint.ts'
import { lineOf, linesOf, settingsInWords } from '../output/settings.ts'
import { remindOfStop, userAnswer } from './handsets/answer.ts'
import { CARRIERS_OF_PHONES } from './handsets/notes.ts'
import { inboxForPeople, SAME_INBOX } from './inbox.ts'

type Handset = AnswerTo<'handsets.show'>

const WORDS = { ...wordsOf('handsets.set'), rcs_capable: 'RCS', read: 'reads', taps: 'taps suggestion' }

const handsetForPeople = (handset: Handset, paint: Paint): string =>
  [
    ...linesOf(handset.phone, handset, WORDS, paint),
    ...(handset.waiting > 0 ? [paint.yellow(`${handset.waiting} waiting until it is switched on`)] : []),
    ...handset.sessions.map((session) =>
      paint.dim(`session with ${session.agent_id} until ${session.session_expires_at}`),
    ),
  ].join('\n')

const changedForPeople = (handsets: readonly Handset[], paint: Paint): string =>
  handsets.length === 0
    ? `All phones have default settings. To see them with their carriers:  ${paint.command('handsets list --contacts')}`
    : handsets.map((one) => lineOf(one.phone, one, WORDS, paint)).join('\n')

const phonesForPeople = (handsets: readonly Handset[], paint: Paint): string =>
  aligned(
    handsets.map((one) => [one.phone, one.carrier, one.does ?? settingsInWords(one, WORDS)]),
    paint,
  ).join('\n')

export const commands: NounCommands<'handsets'> = {
  args: { phone: { describe: 'phone number in international format', example: '+491713920050' } },
  notes: `${CARRIERS_OF_PHONES} A reply STOP revokes no consent: that is up to your application ("sandbox consent revoke").\n\n${SAME_INBOX} A message as on an iPhone or an Android phone: "sandbox preview last --as ios".`,
  example: 'set',
  verbs: {
    list: {
      examples: ['sandbox handsets list --contacts --carrier alpentel'],
      forPeople: ({ handsets }, paint, { contacts }) =>
        contacts ? phonesForPeople(handsets, paint) : changedForPeople(handsets, paint),
    },
    show: { forPeople: handsetForPeople },
    set: {
      done: 'phone {phone} updated',
      flags: { rcs_capable: '--rcs', replies: '--reply', taps: '--tap' },
      opposites: { on: '--off' },
      forPeople: handsetForPeople,
      examples: [
        'sandbox handsets set +491713920050 --off',
        'sandbox handsets set +491713920050 --reply STOP --reply-delay 5s',
        'sandbox handsets set +491713920050 --outcome failed --failure-reason REJECTED_SPAM',
        'sandbox handsets set +491713920050 --unset reply',
      ],
    },
    reset: {
      done: 'phone {phone} reset to defaults',
      forPeople: handsetForPeople,
    },
    inbox: { forPeople: inboxForPeople },
    reply: {
      done: 'phone {phone} replied',
      positional: ['text'],
      flags: { agent_id: '--agent' },
      forPeople: userAnswer,
      remark: remindOfStop,
      examples: ['sandbox handsets reply +491713920050 "Yes, please"'],
    },
    tap: {
      done: 'phone {phone} tapped "{text}"',
      forPeople: userAnswer,
      remark: remindOfStop,
      positional: ['index'],
      flags: { message_id: '--message' },
      examples: ['sandbox handsets tap +491713920050', 'sandbox handsets tap +491713920050 2 --message <id>'],
    },
  },
}
