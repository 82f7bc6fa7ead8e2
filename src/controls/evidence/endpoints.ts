import { type AttemptListener, attemptListeners } from '../../service/webhooks/listeners.ts'
import { redactSecrets } from '../../words/redact.ts'
import { hooked } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'

/**
 * The URL of each endpoint that got an attempt. Receivers are often removed at the end of a test, before its evidence is
 * written, so this outlives the endpoint. It is no state of the world.
 */
const urls = new WeakMap<World, Map<string, string>>()

export function endpointUrls(world: World): ReadonlyMap<string, string> {
  return urls.get(world) ?? new Map()
}

const noteUrl: AttemptListener = (world, _event, url, _made, endpointId) => {
  const ofWorld = urls.get(world) ?? new Map<string, string>()
  if (!ofWorld.has(endpointId)) urls.set(world, ofWorld.set(endpointId, redactSecrets(url)))
}

export const endpointHooks = [hooked(attemptListeners, noteUrl)]
