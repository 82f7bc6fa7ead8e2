import { useState } from 'preact/hooks'
import { FAILURE_REASONS } from '../../words/statuses.ts'
import { type Answer, call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { Field, Select, TextField } from '../ui/fields.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import type { RuleRequest } from './actions.ts'
import { addRule, clearRules, limitRule, moveRule, nameRule, removeRule, shareRule } from './actions.ts'

type Rule = Answer<'rules', 'list'>['rules'][number]

export function RulesPanel() {
  const read = useRead('rules', () => call('rules', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Rules" aside={<ClearAllButton act={clearRules()} rows={read.value?.rules} what="rules" />}>
      <NewRule />
      <Loaded read={read}>
        {({ rules }) => (
          <Table
            label="Rules"
            rows={rules}
            keyOf={({ id }) => id}
            empty="No rules yet. Carriers decide the outcome of messages."
            columns={[
              { title: '#', number: ({ position }) => position },
              {
                title: 'Name',
                cell: ({ id, name, position }) => (
                  <EditableValue
                    label={`Name of rule ${position}`}
                    value={name ?? ''}
                    act={(text) => nameRule(id, text)}
                    empty="none"
                  />
                ),
              },
              { title: 'Messages', cell: ({ match }) => wordsOf(match) || 'all' },
              { title: 'Outcome', cell: ({ behaviour }) => wordsOf(behaviour) },
              {
                title: 'Times',
                cell: ({ id, times, position }) => (
                  <EditableValue
                    label={`Number of messages for rule ${position}`}
                    value={times === null ? '' : String(times)}
                    act={(text) => limitRule(id, text)}
                    empty="always"
                  />
                ),
              },
              {
                title: 'Share',
                cell: ({ id, share, position }) => (
                  <EditableValue
                    label={`Share of messages for rule ${position}`}
                    value={share === null ? '' : `${Math.round(share * 1000) / 10}%`}
                    act={(text) => shareRule(id, text)}
                    empty="all"
                  />
                ),
              },
              { title: 'Applied', number: ({ hits, seen }) => `${hits} of ${seen}` },
              {
                title: 'Order',
                cell: ({ id, position }) => (
                  <ActionButton
                    act={moveRule(id, position - 1)}
                    kind="quiet"
                    class="small"
                    label={`Move rule ${position} up`}
                    because={position <= 1 ? 'This rule is already the first.' : undefined}
                  >
                    ↑
                  </ActionButton>
                ),
              },
              {
                title: 'Remove',
                cell: ({ id, position }) => (
                  <RemoveButton
                    act={removeRule(id)}
                    label={`Remove rule ${position}`}
                    lost="The rule and its counts will be removed. Later messages are not affected by it."
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const wordsOf = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const OUTCOMES = ['delivered', 'failed', 'never_delivered'] as const

function NewRule() {
  const [rule, setRule] = useState<RuleRequest>({ outcome: 'failed', reason: 'UNKNOWN_RCS_USER' })
  const set = (change: Partial<RuleRequest>) => setRule({ ...rule, ...change })
  return (
    <div class="filters">
      <TextField label="To" value={rule.to ?? ''} placeholder="+4917139200*" set={(to) => set({ to: to.trim() })} />
      <TextField label="Text contains" value={rule.text ?? ''} set={(text) => set({ text })} />
      <Field label="Outcome">
        <Select value={rule.outcome} options={OUTCOMES} choose={(outcome) => set({ outcome })} />
      </Field>
      {rule.outcome === 'failed' && (
        <Field label="Failure reason" class="field wide">
          <Select value={rule.reason} options={FAILURE_REASONS} choose={(reason) => set({ reason })} />
        </Field>
      )}
      <TextField
        label="Times"
        value={rule.times ?? ''}
        inputMode="numeric"
        set={(times) => set({ times: Number(times) })}
      />
      <TextField
        label="Share"
        value={rule.share ?? ''}
        placeholder="20%"
        set={(share) => set({ share: share.trim() })}
      />
      <ActionButton act={addRule(rule)} kind="main" describe={({ id }: Rule) => `Added ${id}.`}>
        Add rule
      </ActionButton>
    </div>
  )
}
