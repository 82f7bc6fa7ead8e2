import { CarriersPanel } from './carriers.tsx'
import { FaultsPanel } from './faults.tsx'
import { RulesPanel } from './rules-panel.tsx'

export const NetworkPage = () => (
  <>
    <header class="page-head">
      <h1>Network</h1>
    </header>
    <CarriersPanel />
    <RulesPanel />
    <FaultsPanel />
  </>
)
