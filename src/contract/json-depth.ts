/** Deeper values are no one's data, and would exhaust the stack of what walks them. */
const maxJsonDepth = 100
export const tooDeepMessage = `The body is nested more than ${maxJsonDepth} levels deep`

/** Returns whether a text nests its brackets deeper than any value should, without parsing it. */
export const isTooDeep = (json: string): boolean => cutDeepValues(json) !== json

/** Returns a text of JSON with null for what is nested too deep, so that the rest of it can still be read. */
export function cutDeepValues(json: string): string {
  if (json.split(/[[{]/, maxJsonDepth + 2).length <= maxJsonDepth + 1) return json // too few brackets, which is quickly counted
  const kept: string[] = []
  let [depth, from, inside] = [0, 0, false]
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (inside && char === '\\') at += 1
    else if (char === '"') inside = !inside
    else if (inside) continue
    else if (char === '[' || char === '{') {
      depth += 1
      if (depth === maxJsonDepth + 1) kept.push(json.slice(from, at), 'null')
    } else if (char === ']' || char === '}') {
      if (depth === maxJsonDepth + 1) from = at + 1
      depth -= 1
    }
  }
  if (depth <= maxJsonDepth) kept.push(json.slice(from))
  return kept.join('')
}
