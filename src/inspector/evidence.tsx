import { render } from 'preact'
import './styles/theme.css'
import './styles/parts.css'
import './styles/evidence.css'
import type { Evidence } from '../controls/evidence/item.ts'
import { EvidencePage } from './evidence/page.tsx'

/** The evidence of a failed test: a page opened from disk, with its data inside. */
render(
  <EvidencePage evidence={JSON.parse(document.getElementById('shown')!.textContent!) as Evidence} />,
  document.getElementById('app')!,
)
