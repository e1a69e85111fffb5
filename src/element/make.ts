/**
 * A new element with these inside. Not by `append`: old scripts replace it, by one that takes a
 * single node.
 */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  element.replaceChildren(...inside)
  return element
}
