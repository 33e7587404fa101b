import type { Dialect } from '../core/Dialect.ts'
import type { Interface } from '../core/Interface.ts'
import { v2 } from './index.ts'
import type { V2Context } from './V2Context.ts'

export type Presentation = {
  readonly prefix: `/${string}`
  readonly dialect: Dialect
  /** Of the program: its last number is that of the interface, too. */
  readonly version: string
}

/** The interface as it is served at one place. Inside it everything is written in the neutral dialect. */
export const presentV2 = ({ prefix, dialect, version: programVersion }: Presentation): Interface<V2Context> => {
  const version = `2.2.${programVersion.split('.')[2] ?? '0'}`
  const headers = { 'x-api-version': version }
  const definition = { ...v2, prefix, version, headers: () => headers }
  return dialect === 'chain' ? definition : { ...definition, respell: toEcosystem }
}

// Within the JSON of a text every quote comes after a backslash, so this matches whole texts only.
const neutralName = /(?<!\\)"chain\.blockIdExt"/g

const toEcosystem = (json: string): string => json.replace(neutralName, '"ton.blockIdExt"')
