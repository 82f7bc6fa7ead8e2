import type { AnswerTo } from '../../client/answers.ts'
import { quantity } from '../../words/number-text.ts'
import type { NounCommands } from '../generate/noun.ts'
import { aligned } from '../output/columns.ts'
import type { Paint } from '../output/paint.ts'
import { sizeOf } from '../output/size.ts'
import { resetSummary } from './world/reset-summary.ts'

const newNamespace = { describe: 'name of the namespace: 1 to 64 of a-z, 0-9, - and _' }

const issuedInWords = (
  { namespace, api_key, control_token, token_id, expires_at }: AnswerTo<'namespaces.create'>,
  paint: Paint,
): string =>
  [
    `${paint.green('✓')} namespace ${paint.bold(namespace)}${expires_at ? `, until ${expires_at}` : ''}`,
    `  SANDBOX_API_KEY=${paint.cyan(api_key)}`,
    `  SANDBOX_CONTROL_TOKEN=${paint.cyan(control_token)}`,
    paint.dim('  Both are shown once; the sandbox stores their hashes only.'),
    paint.dim(`  The audit log names the token ${token_id}.`),
  ].join('\n')

export const commands: NounCommands<'namespaces'> = {
  args: { name: { describe: 'name of the namespace: what follows sk_sandbox_ in its key', example: 'team-a' } },
  notes:
    'A namespace is a world of its own: contacts, messages, clock and balance. The API key names it: the first call with sk_sandbox_<name> creates the namespace <name>, as in "sandbox send … --api-key sk_sandbox_suite-1". Only a shared sandbox issues keys: create, ensure, rotate and revoke.',
  verbs: {
    list: {
      forPeople: ({ namespaces, max_namespaces }, paint) =>
        [
          ...aligned(
            namespaces.map(({ name, state, clock, next_due_at, tenant }) => [
              name,
              state,
              clock ? `${clock.now} (${clock.mode})` : '–',
              next_due_at ? `next ${next_due_at}` : 'nothing scheduled',
              ...(tenant
                ? [
                    quantity(tenant.keys, 'keys'),
                    tenant.storage_bytes === null ? '–' : sizeOf(tenant.storage_bytes),
                    tenant.expires_at ? `until ${tenant.expires_at}` : '',
                  ]
                : []),
            ]),
            paint,
          ),
          paint.dim(`${namespaces.length} of at most ${max_namespaces}`),
        ].join('\n'),
    },
    create: {
      examples: [
        'sandbox namespaces create team-a',
        'sandbox namespaces create load-test --ttl 7d --max-messages 100000',
      ],
      args: { name: newNamespace },
      forPeople: issuedInWords,
    },
    ensure: {
      examples: ['sandbox namespaces ensure pr-123 --ttl 7d', 'sandbox namespaces ensure pr-123 --ttl 7d --json'],
      args: { name: newNamespace },
      forPeople: issuedInWords,
    },
    rotate: { forPeople: issuedInWords },
    revoke: {
      forPeople: ({ namespace, revoked_keys, revoked_tokens }, paint) =>
        `${paint.green('✓')} ${quantity(revoked_keys, 'keys')} and ${quantity(revoked_tokens, 'tokens')} of ${paint.bold(namespace)} revoked; its data stays`,
    },
    delete: {
      examples: ['sandbox namespaces delete suite-1'],
      forPeople: ({ name }, paint) => `${paint.green('✓')} namespace ${paint.bold(name)} is deleted`,
    },
    reset: {
      positional: ['scope'],
      examples: ['sandbox namespaces reset suite-1', 'sandbox namespaces reset suite-1 messages'],
      forPeople: resetSummary,
    },
  },
}
