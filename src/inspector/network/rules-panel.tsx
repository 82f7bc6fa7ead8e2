import { useState } from 'preact/hooks'
import { type Answer, call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { FAILURE_REASONS } from '../messages/actions.ts'
import { ActionButton, ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import { addRule, clearRules, limitRule, moveRule, nameRule, removeRule, shareRule } from './actions.ts'
import type { RuleRequest } from './shapes.ts'

type Rule = Answer<'rules', 'list'>['rules'][number]

export function RulesPanel() {
  const read = useRead('rules', () => call('rules', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Rules" aside={<ClearAllButton act={clearRules()} rows={read.value?.rules} />}>
      <NewRule />
      <Loaded read={read}>
        {({ rules }) => (
          <Table
            label="Rules"
            rows={rules}
            keyOf={({ id }) => id}
            empty="No rule decides what becomes of messages."
            columns={[
              { title: '#', cell: ({ position }) => position, class: 'number' },
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
              { title: 'Messages', cell: ({ match }) => said(match) || 'all' },
              { title: 'What becomes of them', cell: ({ behaviour }) => said(behaviour) },
              {
                title: 'Times',
                cell: ({ id, times, position }) => (
                  <EditableValue
                    label={`How many messages rule ${position} is for`}
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
                    label={`Share of messages that rule ${position} is for`}
                    value={share === null ? '' : `${Math.round(share * 1000) / 10}%`}
                    act={(text) => shareRule(id, text)}
                    empty="all"
                  />
                ),
              },
              { title: 'Applied', cell: ({ hits, seen }) => `${hits} of ${seen}`, class: 'number' },
              {
                title: 'Order',
                cell: ({ id, position }) => (
                  <ActionButton
                    act={moveRule(id, position - 1)}
                    kind="quiet"
                    class="small"
                    label={`Ask rule ${position} earlier`}
                    because={position <= 1 ? 'It is the first.' : undefined}
                  >
                    ↑
                  </ActionButton>
                ),
              },
              {
                title: 'Remove',
                cell: ({ id, position }) => <RemoveButton act={removeRule(id)} label={`Remove rule ${position}`} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const said = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function NewRule() {
  const [rule, setRule] = useState<RuleRequest>({ outcome: 'failed', reason: 'UNKNOWN_RCS_USER' })
  const set = (change: Partial<RuleRequest>) => setRule({ ...rule, ...change })
  return (
    <div class="filters">
      <label class="field">
        <span>To</span>
        <input
          value={rule.to ?? ''}
          placeholder="+4917139200*"
          onInput={({ currentTarget }) => set({ to: currentTarget.value.trim() })}
        />
      </label>
      <label class="field">
        <span>Text contains</span>
        <input value={rule.text ?? ''} onInput={({ currentTarget }) => set({ text: currentTarget.value })} />
      </label>
      <label class="field">
        <span>Outcome</span>
        <select
          value={rule.outcome}
          onChange={({ currentTarget }) => set({ outcome: currentTarget.value as RuleRequest['outcome'] })}
        >
          {['delivered', 'failed', 'never_delivered'].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {rule.outcome === 'failed' && (
        <label class="field wide">
          <span>Why</span>
          <select
            value={rule.reason}
            onChange={({ currentTarget }) => set({ reason: currentTarget.value as RuleRequest['reason'] })}
          >
            {FAILURE_REASONS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>Times</span>
        <input
          value={rule.times ?? ''}
          inputMode="numeric"
          onInput={({ currentTarget }) => set({ times: Number(currentTarget.value) })}
        />
      </label>
      <label class="field">
        <span>Share</span>
        <input
          value={rule.share ?? ''}
          placeholder="20%"
          onInput={({ currentTarget }) => set({ share: currentTarget.value.trim() })}
        />
      </label>
      <ActionButton act={addRule(rule)} kind="main" says={({ id }: Rule) => `Added ${id}.`}>
        Add rule
      </ActionButton>
    </div>
  )
}
