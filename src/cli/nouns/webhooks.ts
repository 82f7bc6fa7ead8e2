import type { AnswerTo } from '../../client/answers.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'
import { render } from '../output/render.ts'
import { EXIT } from '../process/exit.ts'
import { SIGNATURE } from './webhooks/signature.ts'

const tested = ({ delivered, status_code, duration_ms, error }: AnswerTo<'webhooks.test'>, paint: Paint) =>
  delivered
    ? `${paint.green('✓')} the endpoint accepted it: ${status_code} ${paint.dim(`${duration_ms} ms`)}`
    : `${paint.yellow('!')} the endpoint did not accept it: ${status_code ?? error} ${paint.dim(`${duration_ms} ms`)}`

export const commands: NounCommands<'webhooks'> = {
  args: { id: { describe: 'id of the endpoint, as sandbox webhooks list shows it' } },
  notes: `Events are names or families, such as --events "message.*". ${SIGNATURE} A delivery without 2xx in 5 s is retried 1 min, 5 min, 1 h and 24 h after the first attempt. Meanwhile the later events of that message or contact wait, and each has five attempts of its own: three events that always fail take three days. "sandbox events deliveries" lists the attempts, "sandbox events replay --failed" delivers again what failed. "create" shows the secret of an endpoint; "sandbox listen --print-secret" shows the one of "listen".`,
  verbs: {
    create: {
      done: 'endpoint {id} registered; its secret is shown only now',
      notes: SIGNATURE,
      forPeople: (endpoint, paint) => `${render(endpoint, paint)}\n${SIGNATURE}`,
      examples: ['sandbox webhooks create --url http://localhost:3000/hook --events "message.*,consent.updated"'],
    },
    update: {
      done: 'endpoint {id} updated',
      examples: ['sandbox webhooks update <id> --rotate-secret'],
    },
    delete: { done: 'endpoint {id} removed' },
    test: {
      forPeople: tested,
      exits: ['expectation'],
      exitOf: ({ delivered }) => (delivered ? EXIT.ok : EXIT.expectation),
    },
    list: { columns: ['id', 'url', 'events', 'status'] },
  },
}
