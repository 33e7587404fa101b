import type { Interface } from '../core/Interface.ts'

/** How the network is called where its name stands alone: neutrally, or as the ecosystem of clients spells it. */
export type Dialect = 'chain' | 'ton'

// Within the JSON of a text every quote comes after a backslash, so this matches whole texts only.
const neutralName = /(?<!\\)"chain\.blockIdExt"/g

/** The same interface below another prefix and in another dialect. Everything inside it is written in the neutral one. */
export const inDialect = <I extends Interface>(definition: I, prefix: `/${string}`, dialect: Dialect): I => ({
  ...definition,
  prefix,
  ...(dialect === 'ton' && { respell: (json: string) => json.replace(neutralName, '"ton.blockIdExt"') }),
})
