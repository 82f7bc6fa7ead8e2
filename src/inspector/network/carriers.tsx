import { perform } from '../api/act.ts'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { Do } from '../ui/do.tsx'
import { Panel, Shown, Table } from '../ui/parts.tsx'
import { deliveryDelay, neverDelivered, outage, PRESETS, preset, resetCarrier } from './acts.ts'

export function CarriersPanel() {
  const read = useRead('carriers', () => call('carriers', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Carriers">
      <Shown read={read}>
        {({ carriers }) => (
          <Table
            label="Carriers"
            rows={carriers}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Carrier', cell: ({ name }) => <strong>{name}</strong> },
              {
                title: 'Preset',
                cell: ({ name }) => (
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
                ),
              },
              {
                title: 'Delivered',
                cell: ({ delivered }) => percent(delivered),
                class: 'number',
              },
              {
                title: 'Never arrive, %',
                cell: ({ name, never_delivered: share }) => (
                  <Edited
                    label={`Share of ${name} that never arrives`}
                    value={String(Math.round(share * 1000) / 10)}
                    save={(text) => perform(neverDelivered(name, Number(text)))}
                  />
                ),
              },
              {
                title: 'Delivery delay',
                cell: ({ name, delivery_delay }) => (
                  <Edited
                    label={`Delivery delay of ${name}`}
                    value={delivery_delay}
                    save={(text) => perform(deliveryDelay(name, text))}
                  />
                ),
              },
              { title: 'Read', cell: ({ read }) => percent(read), class: 'number' },
              { title: 'Failed', cell: ({ failed }) => shares(failed) },
              { title: 'Waiting', cell: ({ waiting }) => waiting, class: 'number' },
              {
                title: 'Outage',
                cell: ({ name, outage: isOn }) => (
                  <Do act={outage(name, !isOn)} pressed={isOn} label={`Outage of ${name}`} class="small">
                    Outage
                  </Do>
                ),
              },
              {
                title: 'As it was',
                cell: ({ name, changed }) => (
                  <Do
                    act={resetCarrier(name)}
                    kind="quiet"
                    class="small"
                    label={`Reset ${name}`}
                    because={changed.length === 0 ? 'Nothing was changed.' : undefined}
                  >
                    Reset
                  </Do>
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

const shares = (failed: Readonly<Record<string, number>>): string =>
  Object.entries(failed)
    .map(([reason, share]) => `${reason} ${percent(share)}`)
    .join(', ') || '–'

/** A value of a table that is written over; it is saved when one leaves it. */
const Edited = ({ label, value, save }: { label: string; value: string; save: (text: string) => void }) => (
  <input
    class="short"
    aria-label={label}
    defaultValue={value}
    key={value}
    onChange={({ currentTarget }) => {
      if (currentTarget.value.trim() && currentTarget.value !== value) save(currentTarget.value.trim())
    }}
  />
)
