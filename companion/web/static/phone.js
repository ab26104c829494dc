/** This phone as the camera: a photograph for each DONE, or a stream where the browser allows it. */

import { outline } from "./board.js";
import { h, refill, withLanguage } from "./dom.js";

const WIDTH = 1280;

export class PhoneCamera {
  constructor(main, words, secure) {
    this.words = words;
    this.sending = false;
    this.said = h("p", { class: "note", role: "status" });
    this.video = h("video", { playsinline: true, muted: true, class: "view", hidden: true });
    this.canvas = document.createElement("canvas");
    const file = h("input", { id: "photo", type: "file", accept: "image/*", capture: "environment", onchange: () => this.photograph(file.files[0]) });
    const start = h("button", { id: "start", class: "main big", onclick: () => (this.sending ? this.stop("stopped") : this.start()) }, words.camera_start);
    this.startButton = start;
    const stream = navigator.mediaDevices?.getUserMedia
      ? [start]
      : secure ? [h("p", {}, words.camera_https), h("a", { class: "link", href: secure }, secure)] : [];
    const authority = secure && words.known.authority ? [h("p", {}, words.authority), h("a", { class: "link", href: "/authority" }, "companion.crt")] : [];
    main.replaceChildren(h("section", { class: "narrow" }, h("h1", {}, words.camera), h("p", {}, words.camera_place), this.video, stream, authority,
      h("label", { for: "photo" }, words.photo), file, this.said, h("a", { class: "link", href: "/" }, words.back_to_page)));
    document.addEventListener("visibilitychange", () => this.seen());
    addEventListener("pagehide", () => { if (this.sending) navigator.sendBeacon?.("/phone", "hidden"); });
  }

  async start() {
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 10 } },
      });
    } catch (error) {
      this.tell("refused");
      this.said.textContent = `${this.words.camera_refused} (${error.name})`;
      return;
    }
    this.video.srcObject = this.stream;
    this.video.hidden = false;
    await this.video.play();
    this.stream.getVideoTracks()[0].addEventListener("ended", () => this.stop("stopped"));
    this.sending = true;
    this.startButton.textContent = this.words.camera_stop;
    this.awake();
    await this.tell("sending");
    this.send();
  }

  stop(state) {
    this.sending = false;
    this.stream?.getTracks().forEach((track) => track.stop());
    this.startButton.textContent = this.words.camera_start;
    this.video.hidden = true;
    this.lock?.release().catch(() => {});
    this.tell(state);
  }

  async awake() {
    try { this.lock = await navigator.wakeLock?.request("screen"); } catch { /* the phone decides */ }
  }

  seen() {
    if (!this.sending) return;
    const visible = document.visibilityState === "visible";
    this.tell(visible ? "sending" : "hidden");
    if (visible) this.awake();
  }

  tell(state) {
    return fetch("/phone", { method: "POST", body: state }).catch(() => {});
  }

  /** Send one picture after the other: the next when the last has arrived, at most five a second. */
  async send() {
    let failed = 0;
    while (this.sending) {
      const from = performance.now();
      let wait = 200;
      const blob = await this.picture();
      if (blob) {
        try {
          const answer = await fetch("/frame", { method: "POST", body: blob });
          if (answer.status === 409) { this.stop("stopped"); this.said.textContent = this.words.camera_other; return; }
          if (answer.ok) {
            failed = 0;
            this.said.textContent = this.words.camera_sends;
            wait = Math.max(wait, 1000 * (await answer.json()).wait_s);
          } else wait = 1000;
        } catch {
          failed += 1;
          this.said.textContent = this.words.lost;
          wait = Math.min(5000, 500 * failed);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait - (performance.now() - from))));
    }
  }

  picture() {
    const { videoWidth, videoHeight } = this.video;
    if (!videoWidth || document.visibilityState !== "visible") return null;
    const scale = Math.min(1, WIDTH / Math.max(videoWidth, videoHeight) * 1.5);
    this.canvas.width = Math.round(videoWidth * scale);
    this.canvas.height = Math.round(videoHeight * scale);
    this.canvas.getContext("2d").drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((resolve) => { this.canvas.toBlob(resolve, "image/jpeg", 0.85); });
  }

  /** Send a photograph, and press DONE: it is the table after the move. */
  async photograph(file) {
    if (!file) return;
    this.said.textContent = this.words.wait;
    try {
      const answer = await fetch("/frame?photograph", { method: "POST", body: file });
      this.said.textContent = answer.ok ? this.words.photo_sent : answer.status === 409 ? this.words.camera_other : `${answer.status}`;
    } catch {
      this.said.textContent = this.words.lost;
    }
  }
}

/** The camera's picture with the board's outline, and what to change, again every two seconds. */
export class Aim {
  constructor(main, words) {
    this.picture = h("img", { class: "view", alt: words.seen });
    this.outline = outline([]);
    this.lines = h("div", { role: "status" });
    main.replaceChildren(h("section", { class: "narrow wide" }, h("h1", {}, words.aim), h("div", { class: "aimed" }, this.picture, this.outline), this.lines,
      h("a", { class: "link", href: "/setup" }, words.setup), h("a", { class: "link", href: "/" }, words.back_to_page)));
    this.again();
  }

  async again() {
    try {
      const [picture, aim] = await Promise.all([fetch("/raw.jpg"), fetch(withLanguage("/aim"))]);
      if (picture.status === 200) {
        const old = this.picture.src;
        this.picture.src = URL.createObjectURL(await picture.blob());
        if (old) URL.revokeObjectURL(old);
      }
      if (aim.ok) {
        const told = await aim.json();
        refill(this.lines, told.lines.map((line) => h("p", { class: "note" }, line)));
        const now = outline(told.outline);
        this.outline.replaceWith(now);
        this.outline = now;
      }
    } catch { /* the next time */ }
    if (document.visibilityState === "visible") setTimeout(() => this.again(), 2000);
    else document.addEventListener("visibilitychange", () => this.again(), { once: true });
  }
}
