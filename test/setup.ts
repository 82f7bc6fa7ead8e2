import { resolveOwnImports } from './native.ts'

resolveOwnImports()
