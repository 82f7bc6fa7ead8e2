import type { AnswerTo } from '../../client/answers.ts'
import { quantity } from '../../words/number-text.ts'
import type { NounCommands } from '../generate/noun.ts'

const placeOf = ({ routes, events, endpoint_id }: AnswerTo<'faults.show'>) =>
  [...(routes ?? events ?? []), ...(endpoint_id ? [`to ${endpoint_id}`] : [])].join(', ')

const columns = ['id', 'routes', 'events', 'does', 'seen', 'hits', 'active']

export const commands: NounCommands<'faults'> = {
  notes: 'Commands try again after 429, 502, 503 and 504; --no-retry prints the first answer.',
  example: 'add',
  verbs: {
    add: {
      flags: { routes: '--route', events: '--event', endpoint_id: '--endpoint', fields: '--field' },
      headings: { status: 'On calls:', drop: 'On webhooks:', times: 'Which of the matches:' },
      examples: [
        'sandbox faults add --route POST:/v1/messages --status 503 --times 3',
        'sandbox faults add --route messages.send --status 429 --retry-after 1 --times 1',
        `sandbox faults add --route messages.send --status 400 --details '[{"field": "to", "code": "required", "message": "is required"}]'`,
        'sandbox faults add --event message.delivered --duplicate',
        'sandbox faults add --event "*" --drop --share 20%',
      ],
      forPeople: (fault, paint) =>
        [
          `${paint.green('✓')} ${paint.bold(fault.id)}  ${placeOf(fault)}: ${fault.does}`,
          ...(fault.target === 'webhooks'
            ? [
                paint.dim(
                  '  It affects deliveries to registered endpoints (webhooks create), not events that listen forwards.',
                ),
              ]
            : []),
          `  Undo  ${paint.command(`faults remove ${fault.id}`)}`,
        ].join('\n'),
    },
    list: { columns },
    remove: { done: 'fault {id} removed' },
    clear: {
      forPeople: ({ removed }, paint) => `${paint.green('✓')} ${quantity(removed, 'faults')} removed`,
    },
  },
}
