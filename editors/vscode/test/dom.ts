// As much of a document as the drawing of Markdown needs, for tests in node.
class FakeNode {
  parentNode: FakeElement | null = null;
  constructor(readonly nodeName: string) {}

  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

class FakeText extends FakeNode {
  constructor(public data: string) {
    super("#text");
  }

  get textContent(): string {
    return this.data;
  }

  appendData(text: string): void {
    this.data += text;
  }
}

class FakeElement extends FakeNode {
  readonly childNodes: (FakeElement | FakeText)[] = [];
  private readonly values = new Map<string, string>();

  get tagName(): string {
    return this.nodeName;
  }

  get firstChild(): FakeElement | FakeText | null {
    return this.childNodes[0] ?? null;
  }

  get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  get attributes(): { name: string; value: string }[] {
    return [...this.values].map(([name, value]) => ({ name, value }));
  }

  set className(value: string) {
    this.values.set("class", value);
  }

  set title(value: string) {
    this.values.set("title", value);
  }

  getAttribute(name: string): string | null {
    return this.values.get(name) ?? null;
  }

  setAttribute(name: string, value: string): void {
    this.values.set(name, value);
  }

  hasChildNodes(): boolean {
    return this.childNodes.length > 0;
  }

  append(...children: (FakeElement | FakeText | string)[]): void {
    for (const child of children) this.appendChild(typeof child === "string" ? new FakeText(child) : child);
  }

  appendChild<N extends FakeElement | FakeText>(child: N): N {
    child.remove();
    child.parentNode = this;
    this.childNodes.push(child);
    return child;
  }

  replaceChild(child: FakeElement | FakeText, old: FakeElement | FakeText): void {
    child.remove();
    this.childNodes.splice(this.childNodes.indexOf(old), 1, child);
    child.parentNode = this;
    old.parentNode = null;
  }

  removeChild(child: FakeNode): void {
    this.childNodes.splice(this.childNodes.indexOf(child as FakeElement), 1);
    child.parentNode = null;
  }
}

const document = {
  createElement: (tag: string) => new FakeElement(tag.toUpperCase()),
  createElementNS: (_: string, tag: string) => new FakeElement(tag),
  createTextNode: (text: string) => new FakeText(text),
};

Object.assign(globalThis, { document, Text: FakeText, Element: FakeElement });
export {};
