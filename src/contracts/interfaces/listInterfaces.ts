import { getMethodId } from '../../codec/tlb/VmValue.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { walletKinds } from '../wallets/walletKinds.ts'
import { contractInterfaces } from './contractInterfaces.ts'

const byCodeHash = new Map<string, string>()
for (const { name, codeHashes = [] } of contractInterfaces) for (const hash of codeHashes) byCodeHash.set(hash, name)
for (const { codeHash, interfaceName } of walletKinds) {
  if (interfaceName !== undefined) byCodeHash.set(codeHash, interfaceName)
}

const byMethods = contractInterfaces
  .flatMap(({ name, methods }) => (methods === undefined ? [] : [{ name, ids: methods.map(getMethodId) }]))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** What a contract is called: by its code alone where that is known, else by everything that its methods make it. */
export const listInterfaces = (codeHash: Uint8Array, methodIds: readonly number[] | undefined): readonly string[] => {
  const known = byCodeHash.get(toBase64(codeHash))
  if (known !== undefined) return [known]
  const present = new Set(methodIds)
  return byMethods.filter(({ ids }) => ids.every((id) => present.has(id))).map(({ name }) => name)
}
