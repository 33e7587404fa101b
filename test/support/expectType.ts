/** True only where both types are the same, not merely assignable. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Fails to compile unless its type argument is true: `expectType<Equal<A, B>>()`. */
export const expectType = <_T extends true>(): void => {}
