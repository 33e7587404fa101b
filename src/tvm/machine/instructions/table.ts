import type { Instruction } from '../Vm.ts'
import { actionInstructions } from './actions.ts'
import { amountInstructions } from './amounts.ts'
import { arithmeticInstructions } from './arithmetic.ts'
import { blsInstructions } from './bls.ts'
import { cellBuildingInstructions } from './cellBuilding.ts'
import { cellReadingInstructions } from './cellReading.ts'
import { contextInstructions } from './context.ts'
import { controlInstructions } from './control.ts'
import { cryptoInstructions } from './crypto.ts'
import { Decoder, slow } from './decode.ts'
import { dictionaryInstructions } from './dictionaries.ts'
import { registerInstructions } from './registers.ts'
import { sliceTestInstructions } from './sliceTests.ts'
import { stackInstructions } from './stack.ts'
import { tupleInstructions } from './tuples.ts'

/** The newest global version whose rules the machine knows; newer ones are run as this one. */
export const NEWEST_VERSION = 15

/** Every instruction of code page 0. */
export const instructions: readonly Instruction[] = [
  ...stackInstructions,
  ...tupleInstructions,
  ...arithmeticInstructions,
  ...sliceTestInstructions,
  ...cellReadingInstructions,
  ...cellBuildingInstructions,
  ...controlInstructions,
  ...registerInstructions,
  ...dictionaryInstructions,
  ...contextInstructions,
  ...cryptoInstructions,
  ...blsInstructions.map(slow),
  ...amountInstructions,
  ...actionInstructions,
]

const decoders: (Decoder | undefined)[] = []

/** What the instructions of a global version are. */
export const decoderFor = (version: number): Decoder => {
  const known = Math.min(Math.max(version, 0), NEWEST_VERSION)
  decoders[known] ??= new Decoder(instructions, known)
  return decoders[known]
}
