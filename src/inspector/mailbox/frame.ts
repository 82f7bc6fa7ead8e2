import './frame.css'
import { type FromFrame, isForFrame } from './letters.ts'
import { shownHtml } from './shown-html.ts'

/**
 * Runs in mail.html: shows the HTML that the inspector hands over in a sandboxed frame of its own, and tells which link was
 * clicked. The frame runs no script, submits no form and opens nothing; the policy of this page lets it load nothing.
 */

const tell = (letter: FromFrame) => parent.postMessage(letter, location.origin)

addEventListener('message', ({ data, origin, source }) => {
  if (origin !== location.origin || source !== parent || !isForFrame(data)) return
  const frame = document.createElement('iframe')
  // Same origin lets this page hear clicks in it; without allow-scripts nothing runs in it, whatever it says.
  frame.sandbox.add('allow-same-origin')
  frame.title = 'The email'
  frame.srcdoc = shownHtml(data.html, location.search === '?media=allow')
  frame.addEventListener('load', () => listen(frame.contentDocument!))
  document.body.replaceChildren(frame)
})

function listen(mail: Document) {
  // In capture, so that it is heard before the browser follows the link.
  mail.addEventListener('click', stop, { capture: true })
  mail.addEventListener('auxclick', stop, { capture: true })
  mail.addEventListener('submit', (event) => event.preventDefault(), { capture: true })
}

function stop(event: Event) {
  event.preventDefault()
  const link = (event.target as Element | null)?.closest?.('[data-link]')
  if (link) tell({ kind: 'mail-clicked', url: link.getAttribute('data-link')! })
}

tell({ kind: 'mail-ready' })
