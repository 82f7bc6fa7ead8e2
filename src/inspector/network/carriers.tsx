import { call } from '../api/client.ts'
import { tryPerform } from '../api/page-action.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import { outage, PRESETS, preset, resetCarrier } from './actions.ts'
import { type CarrierAnswer, FIELDS } from './carrier-fields.ts'

/** A column for each carrier; deviations from the world file are marked. */
export function CarriersPanel() {
  const read = useRead('carriers', () => call('carriers', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Carriers">
      <Loaded read={read}>
        {({ carriers }) => (
          <Table
            label="Carriers"
            rows={ROWS}
            keyOf={({ title }) => title}
            columns={[
              { title: 'Setting', cell: ({ title }) => title },
              ...carriers.map((carrier) => ({
                title: carrier.name,
                cell: ({ cell }: (typeof ROWS)[number]) => cell(carrier),
              })),
            ]}
          />
        )}
      </Loaded>
      <p class="note">Delays: 2s, 300ms..2s (uniform) or ~1s..8s (log-normal: 90 % within).</p>
    </Panel>
  )
}

const ROWS = [
  { title: 'Outage', cell: (carrier: CarrierAnswer) => <Outage of={carrier} /> },
  { title: 'Preset', cell: (carrier: CarrierAnswer) => <Presets of={carrier} /> },
  ...FIELDS.map(({ name, title, value, act, empty }) => ({
    title,
    cell: (carrier: CarrierAnswer) => (
      <EditableValue
        class={carrier.changed.includes(name) ? 'changed' : ''}
        label={`${title}: ${carrier.name}`}
        value={value(carrier)}
        act={(text) => act(carrier.name, text)}
        {...(empty === undefined ? {} : { empty })}
      />
    ),
  })),
  { title: 'Waiting messages', cell: ({ waiting }: CarrierAnswer) => waiting },
  { title: 'Defaults', cell: (carrier: CarrierAnswer) => <Reset of={carrier} /> },
]

const Outage = ({ of: { name, outage: isOn } }: { of: CarrierAnswer }) => (
  <>
    <ActionButton act={outage(name, !isOn)} pressed={isOn} label={`Outage of ${name}`} class="small toggle">
      Outage
    </ActionButton>
    {isOn && <span class="note"> no messages pass</span>}
  </>
)

const Reset = ({ of: { name, changed } }: { of: CarrierAnswer }) => (
  <ActionButton
    act={resetCarrier(name)}
    kind="quiet"
    class="small"
    label={`Reset ${name}`}
    because={changed.length === 0 ? 'All settings are the defaults.' : undefined}
  >
    Reset
  </ActionButton>
)

const Presets = ({ of: { name } }: { of: CarrierAnswer }) => (
  <select
    aria-label={`Preset of ${name}`}
    value=""
    onChange={({ currentTarget }) => {
      const chosen = PRESETS.find((one) => one === currentTarget.value)
      currentTarget.value = ''
      if (chosen) void tryPerform(preset(name, chosen), () => `${name} is now ${chosen}.`)
    }}
  >
    <option value="">choose…</option>
    {PRESETS.map((one) => (
      <option key={one}>{one}</option>
    ))}
  </select>
)
