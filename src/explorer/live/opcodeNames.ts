import { useEffect, useState } from 'preact/hooks'
import { askV3 } from '../fetch/askV3.ts'
import { isCertain } from '../model/opcodes.ts'

const known = new Map<string, string>()
const listeners = new Set<() => void>()
let wanted = new Set<string>()

/** What an opcode is called, or itself where nobody knows, or where several layouts have it. */
export const useOpcodeName = (opcode: string | undefined): string | undefined => {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (opcode === undefined || known.has(opcode)) return
    if (wanted.size === 0) setTimeout(() => void fetchWanted())
    wanted.add(opcode)
    const listener = (): void => redraw((count) => count + 1)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [opcode])
  return opcode === undefined ? undefined : (known.get(opcode) ?? opcode)
}

const fetchWanted = async (): Promise<void> => {
  const opcodes = [...wanted]
  wanted = new Set()
  try {
    const { result } = await askV3('decode', { opcodes })
    opcodes.forEach((opcode, index) => {
      const name = result.opcodes[index]
      known.set(opcode, name !== undefined && isCertain(name) ? name : opcode)
    })
  } catch {
    // The number says it as well.
  }
  for (const listener of listeners) listener()
}
