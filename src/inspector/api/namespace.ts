import { computed } from '@preact/signals'
import { place } from './place.ts'

/** The shown namespace, the first part of the address. */
export const namespace = computed(() => place.value.namespace)
