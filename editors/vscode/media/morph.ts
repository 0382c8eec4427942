// Changes drawn nodes into wanted ones. What is the same stays in the document, so
// that a selection in it stays, too.

/** Makes the children of a parent, from the given one on, like the wanted nodes. */
export function morph(parent: Node, from: number, wanted: Node[]): void {
  const drawn = [...parent.childNodes].slice(from);
  wanted.forEach((node, i) => {
    const old = drawn[i];
    if (!old) parent.appendChild(node);
    else if (!update(old, node)) parent.replaceChild(node, old);
  });
  for (const left of drawn.slice(wanted.length)) parent.removeChild(left);
}

/** Makes a drawn node like a wanted one. Reports false if that takes another node. */
function update(old: ChildNode, wanted: Node): boolean {
  if (old instanceof Text && wanted instanceof Text) return updateText(old, wanted.data);
  if (!(old instanceof Element) || !(wanted instanceof Element) || !sameTag(old, wanted)) return false;
  if (!(old.tagName === "CODE" && old.textContent === wanted.textContent)) morph(old, 0, [...wanted.childNodes]); // it may be highlighted
  return true;
}

function updateText(old: Text, text: string): boolean {
  if (old.data === text) return true;
  if (text.startsWith(old.data)) old.appendData(text.slice(old.data.length));
  else old.data = text;
  return true;
}

function sameTag(old: Element, wanted: Element): boolean {
  if (old.tagName !== wanted.tagName || old.attributes.length !== wanted.attributes.length) return false;
  return [...wanted.attributes].every(({ name, value }) => old.getAttribute(name) === value);
}
