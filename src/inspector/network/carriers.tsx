import { perform } from '../api/act.ts'
import { type Answer, call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { Do } from '../ui/do.tsx'
import { Edited } from '../ui/edited.tsx'
import { Panel, Shown, Table } from '../ui/parts.tsx'
import { outage, PRESETS, preset, resetCarrier } from './acts.ts'
import { FIELDS } from './carrier-fields.ts'

type Carrier = Answer<'carriers', 'show'>

/** A column for each carrier; fields that are not as in the world file are marked. */
export function CarriersPanel() {
  const read = useRead('carriers', () => call('carriers', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Carriers">
      <Shown read={read}>
        {({ carriers }) => (
          <Table
            label="Carriers"
            rows={ROWS}
            keyOf={({ title }) => title}
            columns={[
              { title: 'Of a carrier', cell: ({ title }) => title },
              ...carriers.map((carrier) => ({
                title: carrier.name,
                cell: ({ cell }: (typeof ROWS)[number]) => cell(carrier),
              })),
            ]}
          />
        )}
      </Shown>
      <p class="note">A delay is 2s, 300ms..2s (even between two) or ~1s..8s (log-normal: nine of ten lie within).</p>
    </Panel>
  )
}

const ROWS = [
  { title: 'Outage', cell: (carrier: Carrier) => <Outage of={carrier} /> },
  { title: 'Preset', cell: (carrier: Carrier) => <Presets of={carrier} /> },
  ...FIELDS.map(({ name, title, value, act, empty }) => ({
    title,
    cell: (carrier: Carrier) => (
      <Edited
        class={carrier.changed.includes(name) ? 'changed' : ''}
        label={`${title}: ${carrier.name}`}
        value={value(carrier)}
        act={(text) => act(carrier.name, text)}
        {...(empty === undefined ? {} : { empty })}
      />
    ),
  })),
  { title: 'Waiting for room', cell: ({ waiting }: Carrier) => waiting },
  { title: 'As in the world file', cell: (carrier: Carrier) => <Reset of={carrier} /> },
]

const Outage = ({ of: { name, outage: isOn } }: { of: Carrier }) => (
  <Do
    act={outage(name, !isOn)}
    pressed={isOn}
    label={`Outage of ${name}: ${isOn ? 'in outage' : 'works'}`}
    class="small"
  >
    {isOn ? 'in outage' : 'works'}
  </Do>
)

const Reset = ({ of: { name, changed } }: { of: Carrier }) => (
  <Do
    act={resetCarrier(name)}
    kind="quiet"
    class="small"
    label={`Reset ${name}`}
    because={changed.length === 0 ? 'Nothing was changed.' : undefined}
  >
    Reset
  </Do>
)

const Presets = ({ of: { name } }: { of: Carrier }) => (
  <select
    aria-label={`Preset of ${name}`}
    value=""
    onChange={({ currentTarget }) => {
      const chosen = PRESETS.find((one) => one === currentTarget.value)
      currentTarget.value = ''
      if (chosen) void perform(preset(name, chosen), () => `${name} is ${chosen} now.`)
    }}
  >
    <option value="">choose…</option>
    {PRESETS.map((one) => (
      <option key={one}>{one}</option>
    ))}
  </select>
)
