import { collectLayouts, type Definition, type LayoutSet } from './definitions.ts'
import { parseTable } from './parseDefinition.ts'
import { coffee } from './tables/coffee.ts'
import { dedust } from './tables/dedust.ts'
import { exchanges } from './tables/exchanges.ts'
import { lending } from './tables/lending.ts'
import { services } from './tables/services.ts'
import { staking } from './tables/staking.ts'
import { stonfi } from './tables/stonfi.ts'
import { storm } from './tables/storm.ts'
import { core, names, tokens } from './tables/tokens.ts'
import { wallets } from './tables/wallets.ts'

/** In the order in which layouts of one opcode are tried; within a family, that of its table. */
const tables: Readonly<Record<string, string>> = {
  core,
  tokens,
  wallets,
  names,
  stonfi,
  dedust,
  coffee,
  exchanges,
  staking,
  lending,
  storm,
  services,
}

let parsed: LayoutSet | undefined

/** The layouts that come with the program, parsed when they are first asked for. */
export const builtInLayouts = (): LayoutSet => {
  if (parsed === undefined) {
    const definitions: Definition[] = []
    for (const [name, text] of Object.entries(tables)) definitions.push(...parseTable(name, text))
    parsed = collectLayouts(definitions)
  }
  return parsed
}
