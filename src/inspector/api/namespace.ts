import { computed, signal } from '@preact/signals'
import { apiKeyOf } from '../../words/api-key.ts'
import { place } from './place.ts'

/** The shown namespace, the first part of the address. */
export const namespace = computed(() => place.value.namespace)

/** True in a shared sandbox, whose keys are secret: its list of namespaces has tenants. */
export const isShared = signal(false)

/** The shown namespace's key in a copied request; of a secret one, the variable that holds it. */
export const keyVariable = () => (isShared.value ? '$SANDBOX_API_KEY' : apiKeyOf(namespace.value))
