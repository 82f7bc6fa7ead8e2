import type { AnswerTo } from '../../client/answers.ts'
import { quantity } from '../../words/number-text.ts'
import { formatShare } from '../../words/percent.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'

type Rule = AnswerTo<'rules.show'>

const describeRule = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')

/** Describes how often a rule still applies: the next 3, 20%, every one. */
function describeLimit({ times, every, share, hits }: Rule): string {
  const turn = every === null ? '' : ` 1 in ${every} of`
  const part = share === null ? turn : `${turn} ${formatShare(share)} of`
  if (times === null) return part ? `${part.trim()} them` : 'every matching message'
  return `${Math.max(0, times - hits)} of ${times} left${part ? `,${part} them` : ''}`
}

function inWords(rule: Rule, paint: Paint): string {
  const { id, position, name, match, behaviour, channels, seen, hits, active } = rule
  const head = `${position}. ${paint.bold(id)}${name === null ? '' : `  ${name}`}`
  const lines = [
    ['match', `${describeRule(match) || 'every message'} ${paint.dim(`(${channels.join(', ')})`)}`],
    ['then', describeRule(behaviour)],
    ['for', active ? describeLimit(rule) : paint.yellow('used up')],
    ['applied', `${hits} of ${seen} that matched`],
  ]
  return [head, ...lines.map(([label, text]) => `   ${paint.dim(label!.padEnd(9))}  ${text}`)].join('\n')
}

/** Match and behaviour are flat on the command line. */
const spread = ['match', 'behaviour']
const flags = {
  'match.agent_id': '--agent',
  'match.channel_id': '--via',
  'match.campaign_id': '--campaign',
  'match.template_id': '--template',
  'match.text_contains': '--text',
  'behaviour.failure_reason': '--reason',
  'behaviour.bounce_type': '--bounce',
  'behaviour.delivery_delay': '--delay',
  'behaviour.replies': '--reply',
  'behaviour.taps': '--tap',
}

export const commands: NounCommands<'rules'> = {
  args: {
    id: {
      name: 'rule',
      describe: 'id of the rule: rule_…',
      example: 'rule_00000000-0000-4000-8000-000000000001',
    },
  },
  notes:
    'A rule matches messages by recipient, carrier, agent, type or text. It decides the outcome of all of them, of every nth (--every), of a number (--times) or of a share (--share).',
  example: 'add',
  verbs: {
    add: {
      spread,
      flags,
      done: 'rule {id} added',
      forPeople: inWords,
      examples: [
        'sandbox rules add --carrier alpentel --every 3 --outcome failed --reason REJECTED_SPAM',
        'sandbox rules add --to "+49171392005*" --outcome failed --reason REJECTED_SPAM --times 3',
        'sandbox rules add --traffic-type PROMOTION --share 20% --outcome never_delivered',
        'sandbox rules add --text table --reply "See you then" --reply-delay 5s..1m',
      ],
    },
    list: {
      forPeople: ({ rules: all }, paint) =>
        all.length === 0
          ? paint.dim('no rules; carriers and mail server decide')
          : all.map((rule) => inWords(rule, paint)).join('\n\n'),
    },
    show: { forPeople: inWords },
    update: {
      done: 'rule {id} updated',
      spread,
      flags,
      forPeople: inWords,
      examples: [
        'sandbox rules update rule_00000000-0000-4000-8000-000000000001 --position 1 --times 5',
        'sandbox rules update rule_00000000-0000-4000-8000-000000000001 --share 50% --unset times',
      ],
    },
    remove: {
      forPeople: ({ id: removed }, paint) => `${paint.green('✓')} removed ${removed}`,
    },
    clear: {
      forPeople: ({ removed }, paint) => `${paint.green('✓')} removed ${quantity(removed, 'rules')}`,
    },
  },
}
