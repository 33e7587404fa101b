import { accountFunctions } from './accountFunctions.ts'
import { blockFunctions } from './blockFunctions.ts'
import type { LiteFunctions } from './LiteFunction.ts'

/** Every question that is answered. */
export const liteFunctions: LiteFunctions = { ...blockFunctions, ...accountFunctions }
