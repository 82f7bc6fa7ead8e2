import type { Answer } from '../api/client.ts'
import { useCall } from '../api/read.ts'
import { ActionButton, ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Id } from '../ui/parts.tsx'
import { ReadPanel } from '../ui/table.tsx'
import { clearRules, moveRule, removeRule } from './actions.ts'

type Rule = Answer<'rules', 'list'>['rules'][number]

export function RulesPanel() {
  const read = useCall(['rules', 'list'], { everyMs: 2_000 })
  return (
    <ReadPanel
      title="Rules"
      aside={
        <span class="choices">
          <FormButton
            title="Add rule"
            noun="rules"
            verb="add"
            only={FIELDS}
            initial={{ behaviour: { outcome: 'failed', failure_reason: 'UNKNOWN_RCS_USER' } }}
            describe={({ id }: Rule) => `Added ${id}.`}
          />
          <ClearAllButton act={clearRules()} rows={read.value?.rules} what="rules" />
        </span>
      }
      read={read}
      rows={({ rules }) => rules}
      keyOf={({ id }) => id}
      empty="No rules yet. Carriers decide the outcome of messages."
      columns={[
        { title: '#', number: ({ position }) => position },
        { title: 'Name', cell: ({ id, name }) => name ?? <Id of={id} />, class: 'anywhere' },
        { title: 'Messages', cell: ({ match }) => wordsOf(match) || 'all', class: 'anywhere' },
        { title: 'Outcome', cell: ({ behaviour }) => wordsOf(behaviour) },
        { title: 'Times', cell: ({ times }) => times ?? 'always' },
        { title: 'Share', cell: ({ share, every }) => share ?? (every ? `1 in ${every}` : 'all') },
        { title: 'Applied', number: ({ hits, seen }) => `${hits} of ${seen}` },
        {
          title: 'Change',
          cell: (rule) => (
            <span class="choices">
              <ActionButton
                act={moveRule(rule.id, rule.position - 1)}
                kind="quiet"
                class="small"
                label={`Move rule ${rule.position} up`}
                because={rule.position <= 1 ? 'This rule is already the first.' : undefined}
              >
                ↑
              </ActionButton>
              <FormButton
                title={`Change rule ${rule.position}`}
                word="Change"
                button="Save"
                noun="rules"
                verb="update"
                only={FIELDS}
                fixed={{ id: rule.id }}
                initial={rule}
                describe={({ id }: Rule) => `Changed ${id}.`}
              />
              <RemoveButton
                act={removeRule(rule.id)}
                label={`Remove rule ${rule.position}`}
                lost="The rule and its counts will be removed. Later messages are not affected by it."
              />
            </span>
          ),
        },
      ]}
    />
  )
}

const wordsOf = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** Which messages, and what happens to them. The others are behind “More fields”. */
const FIELDS = [
  'match.to',
  'match.text_contains',
  'match.carrier',
  'behaviour.outcome',
  'behaviour.failure_reason',
  'every',
  'times',
]
