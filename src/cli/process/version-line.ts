import { BUILD, VERSION } from '../../words/version.ts'

/** `messaging-sandbox 0.1.0 (1a2b3c4) node v24.21.0 sqlite 3.53.3` */
export const versionLine = (): string =>
  [
    `messaging-sandbox ${VERSION} (${BUILD?.commit ?? 'source'}) node ${process.version}`,
    ...(BUILD ? [`sqlite ${BUILD.sqlite}`] : []),
  ].join(' ')
