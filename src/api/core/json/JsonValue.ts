/** A JSON value as we read it: an integer beyond 2^53 is a bigint with all its digits. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

export type JsonObject = { readonly [name: string]: JsonValue }

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that the object itself has: never one that every object inherits. */
export const findMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
