"use strict";

const place = document.getElementById("docs");
Redoc.init(
  place.dataset.schema,
  {
    hideDownloadButton: false,
    sortRequiredPropsFirst: true,
    theme: {
      colors: { primary: { main: "#1f6f54" } },
      typography: { fontFamily: "system-ui, sans-serif", headings: { fontFamily: "system-ui, sans-serif" } },
    },
  },
  place,
);
