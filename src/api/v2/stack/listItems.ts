import type { VmValue } from '../../../codec/tlb/VmValue.ts'

/** The items of a list, which is pairs in pairs with null at the end; `undefined` where a value is none. */
export const findListItems = (value: VmValue): readonly VmValue[] | undefined => {
  const items: VmValue[] = []
  let rest: VmValue = value
  while (rest.kind === 'tuple' && rest.items.length === 2) {
    items.push(rest.items[0]!)
    rest = rest.items[1]!
  }
  return rest.kind === 'null' ? items : undefined
}
