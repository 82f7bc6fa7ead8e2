import { render } from 'preact'
import './styles/theme.css'
import './styles/parts.css'
import './styles/evidence.css'
import type { Evidence } from '../evidence/item.ts'
import { EvidencePage } from './evidence/page.tsx'

/** What a failed test has left: a page that is opened from disk, with all that it shows in it. */
render(
  <EvidencePage evidence={JSON.parse(document.getElementById('shown')!.textContent!) as Evidence} />,
  document.getElementById('app')!,
)
