import { PageHead } from '../ui/parts.tsx'
import { CarriersPanel } from './carriers.tsx'
import { FaultsPanel } from './faults.tsx'
import { RulesPanel } from './rules-panel.tsx'

export const NetworkPage = () => (
  <>
    <PageHead title="Network" />
    <CarriersPanel />
    <RulesPanel />
    <FaultsPanel />
  </>
)
