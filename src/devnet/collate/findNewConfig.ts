import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { type ConfigParams, configDictType } from '../../codec/tlb/config/configParams.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { findNetworkRules, type NetworkRules } from './NetworkRules.ts'

export type NewConfig = { readonly params: ConfigParams; readonly rules: NetworkRules }

/** The configuration that the configuration contract now has, where it is another one and blocks can be made by it. */
export const findNewConfig = (draft: BlockDraft, { configAddr, config }: ConfigParams): NewConfig | undefined => {
  const account = openAccount(draft.accounts.get(configAddr).current.account)
  if (account.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { data } = account.state.init
  if (data === undefined || data.refCount === 0) return undefined
  const root = data.ref(0)
  if (config.root instanceof Cell && bytesEqual(root.hash(), config.root.hash())) return undefined
  const dict = new Dict(configDictType, root)
  const rules = findNetworkRules(dict)
  // The key of the validator is in nobody's hands but ours.
  const { publicKey } = draft.context.rules.validator
  if (rules === undefined || !bytesEqual(rules.validator.publicKey, publicKey)) return undefined
  return { params: { configAddr: rules.configAddress, config: dict }, rules }
}
