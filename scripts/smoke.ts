import { fileURLToPath } from 'node:url'
import { smokeBinary } from './smoke/binary.ts'
import { smokePackage } from './smoke/package.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [what] = process.argv.slice(2)
if (what !== 'package') await smokeBinary()
if (what !== 'binary') await smokePackage()
